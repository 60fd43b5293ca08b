import type { StoredCall } from '../../call-log.ts'
import { isSettled } from '../../call-state.ts'
import type { CallRecord } from '../../kernel/call.ts'
import { isContentOutput } from '../../kernel/content.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { UndoByTool } from '../../kernel/trial/tool-undo.ts'
import type { RegisteredTool } from '../../registry.ts'
import { resolveReferences } from '../../shapes/resolve-references.ts'
import type { PipelinePorts } from '../ports.ts'
import { findUndoIssue, notUndoable } from './undo-issue.ts'

/** The call that undoes another. */
export interface UndoRequest {
  tool: string
  input: JsonValue
  undoes: string
  /** The same for everybody who asks now, so that one of them makes the call. */
  idempotencyKey: string
}

type UndoPorts = Pick<PipelinePorts, 'registry' | 'readyTools' | 'now'> & {
  calls: Pick<PipelinePorts['calls'], 'list'>
}

/** A failed undo may be tried again, but not for ever. */
const maxTries = 20

/** The request that undoes a call. Throws `not_undoable` with the reason. */
export async function toUndoRequest(call: StoredCall, ports: UndoPorts): Promise<UndoRequest> {
  await ports.readyTools(call.tenant)
  const entry = ports.registry.find(call.tool, call.tenant)
  const reason = findUndoIssue(call, entry?.contract, ports.now())
  if (reason !== undefined || entry === undefined) {
    throw notUndoable(call.callId, reason ?? 'its tool is gone')
  }
  const { earlier, tries } = await findUndos(call, ports)
  if (earlier !== undefined) throw notUndoable(call.callId, toTaken(earlier))
  if (tries >= maxTries) throw notUndoable(call.callId, `it has failed ${tries} times`)
  return { ...toTarget(call, entry), undoes: call.callId, idempotencyKey: keyOf(call, tries) }
}

/** The undo of a call that counts, and how many have failed. */
export async function findUndos(
  call: Pick<CallRecord, 'tenant' | 'callId'>,
  ports: Pick<UndoPorts, 'calls'>,
): Promise<{ earlier?: CallRecord; tries: number }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const query = { idempotencyKey: keyOf(call, tries), limit: 10 }
    const { items } = await ports.calls.list(call.tenant, query)
    if (items.length === 0) return { tries }
    const counts = items.find((item) => item.undoes === call.callId && mayHaveHappened(item))
    if (counts !== undefined) return { earlier: counts, tries }
  }
  return { tries: maxTries }
}

/** Callers choose keys freely, so one that is taken by something else is passed over. */
function keyOf({ callId }: Pick<CallRecord, 'callId'>, tries: number): string {
  return `undo/${callId}/${tries}`
}

function mayHaveHappened({ status, error }: CallRecord): boolean {
  return !isSettled(status) || status === 'completed' || error?.code === 'outcome_unknown'
}

function toTaken({ callId, status, error }: CallRecord): string {
  if (status === 'completed') return `it was undone by ${callId}`
  if (error?.code === 'outcome_unknown') return `whether ${callId} has undone it is not known`
  return `it is being undone by ${callId}, which is ${status}`
}

function toTarget(
  call: StoredCall,
  { tool, contract }: RegisteredTool,
): Pick<UndoRequest, 'tool' | 'input'> {
  const input = call.rawInput ?? call.input
  if (!isByTool(tool.undo)) return { tool: contract.name, input }
  const roots = { input, output: plainOutput(call.output) }
  return { tool: tool.undo.tool, input: resolveReferences(tool.undo.input, roots) ?? {} }
}

/** True for a tool whose calls another tool undoes. */
export function isByTool(undo: unknown): undo is UndoByTool {
  return typeof undo === 'object' && undo !== null
}

/** The part of an output that its schema describes. */
export function plainOutput(output: JsonValue | undefined): JsonValue {
  if (!isContentOutput(output)) return output ?? null
  return output.$structured ?? null
}
