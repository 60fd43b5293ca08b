import type { StoredCall } from '../../call-log.ts'
import type { CallRecord } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { ToolContract } from '../../kernel/tool.ts'
import { isRedacted } from '../../secrets/is-redacted.ts'

/** Until when a call can be undone, in milliseconds; undefined for a tool without undo. */
export function undoUntil(
  { settledAt }: Pick<CallRecord, 'settledAt'>,
  { undo }: Pick<ToolContract, 'undo'>,
): number | undefined {
  return undo && settledAt === undefined
    ? undefined
    : undo && Date.parse(settledAt ?? '') + undo.withinMs
}

/** Why a call cannot be undone now; undefined if it can. Earlier undos are not looked at here. */
export function findUndoIssue(
  call: CallRecord & Pick<StoredCall, 'rawInput'>,
  contract: ToolContract | undefined,
  now: number,
): string | undefined {
  const { tool, status, purpose, undoes } = call
  if (undoes !== undefined) return 'an undo cannot be undone; make the call again instead'
  if (purpose !== undefined) return `a ${purpose} has no effect`
  if (status !== 'completed') return `it is ${status}, and only a completed call can be undone`
  if (contract === undefined) return `${tool} no longer exists here`
  const until = undoUntil(call, contract)
  if (until === undefined) return `${tool} has no undo`
  if (until < now)
    return `it is too late: it could be undone until ${new Date(until).toISOString()}`
  return findLossIssue(call)
}

/** The record must hold all that the undo needs. */
function findLossIssue({
  input,
  rawInput,
  output,
  artifact,
}: CallRecord & Pick<StoredCall, 'rawInput'>): string | undefined {
  if (rawInput === undefined && isRedacted(input))
    return 'its input held secrets, which are not kept'
  if (output !== undefined && isRedacted(output))
    return 'its output held secrets, which are not kept'
  return artifact === undefined ? undefined : 'its output was cut'
}

/** The error for a call that cannot be undone. */
export function notUndoable(callId: string, reason: string): ToolError {
  return new ToolError('not_undoable', `${callId} cannot be undone: ${reason}`)
}
