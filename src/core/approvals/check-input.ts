import { ToolError } from '../errors.ts'
import { fillInput } from '../pipeline/input-files.ts'
import type { PipelinePorts } from '../pipeline/ports.ts'
import { redactForRecord } from '../pipeline/context/prepare-call.ts'
import { callerOf, inputLost } from '../pipeline/run-queued.ts'
import type { DecisionEntry } from './approval-store.ts'
import type { StoredCall } from '../call-log.ts'
import type { RegisteredTool } from '../registry.ts'
import { checkSecretFields } from '../schema/secret-fields.ts'
import { isRedacted } from '../secrets/is-redacted.ts'
import { readSensitive } from '../secrets/sensitive-of-call.ts'
import type { JsonValue } from '../tool.ts'
import type { Approval } from './approval.ts'
import { restoreRedacted } from './restore-redacted.ts'

interface InputToCheck {
  entry: RegisteredTool
  call: StoredCall
  approval: Approval
  edited: JsonValue | undefined
}

/** Parses what the call will run with, edited or not. Gives the edit as it is to be stored. */
export async function checkInput(
  { entry, call, approval, edited }: InputToCheck,
  ports: PipelinePorts,
): Promise<DecisionEntry['edit']> {
  if (call.isInputLost && edited === undefined) throw inputLost(call.tool)
  const raw = call.rawInput ?? call.input
  const input = edited === undefined ? raw : restoreRedacted(edited, approval.input, raw)
  if (edited !== undefined) checkSecretFields(entry.contract, input)
  const filled = await fillInput(entry.contract, { input, caller: callerOf(call) }, ports)
  const parsed = entry.tool.parseInput(filled.input)
  if (!parsed.ok) {
    const which =
      edited === undefined ? 'The input no longer fits' : 'The edited input does not fit'
    throw new ToolError('invalid_input', `${which} ${call.tool}`, {
      issues: parsed.issues,
      fix: 'Approve with an input that fits, or reject the call.',
    })
  }
  if (edited === undefined) return undefined
  if (isRedacted(input) && !isRedacted(raw)) throw unknownSecret()
  const recorded = await redactEdit(edited, { entry, call }, ports)
  return isSameText(recorded, input) ? { input: recorded } : { input: recorded, rawInput: input }
}

/** What people wrote, without the secrets in it; what they left as it was shown has none. */
async function redactEdit(
  edited: JsonValue,
  { entry, call }: Pick<InputToCheck, 'entry' | 'call'>,
  ports: PipelinePorts,
): Promise<JsonValue> {
  const caller = callerOf(call)
  const facts = {
    callId: call.callId,
    contract: entry.contract,
    caller,
    input: edited,
    decision: call.decision ?? { verdict: 'ask', layer: '', rule: '', reasons: [] },
    settings: {},
    timeoutMs: call.timeoutMs,
    requestedAt: 0,
    parentId: call.parentId,
    idempotencyKey: undefined,
  } as const
  const secrets = call.parentId === undefined ? undefined : await readSensitive(call, ports)
  const request = { tool: call.tool, input: edited, caller, secrets }
  return (await redactForRecord({ facts, request }, ports)).input
}

function isSameText(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Moved to where nothing was hidden, the mark says nothing about what is meant. */
function unknownSecret(): ToolError {
  return new ToolError('invalid_input', 'The edited input holds the mark of a hidden value', {
    fix: 'Leave hidden values where they are, or write the value itself.',
  })
}
