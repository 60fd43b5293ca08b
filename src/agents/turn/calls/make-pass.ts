import type { CallRecord, CallResult } from '../../../core/kernel/call.ts'
import type { PassCall, Turn } from '../../../core/conversations/conversation.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { isSettled } from '../../../core/call-state.ts'
import { isDeepEqual } from '../../../core/kernel/json/deep-equal.ts'
import { isRecord, ownValue } from '../../../core/kernel/json/json-type.ts'
import { unwrapCall } from '../../../core/search/unwrap-call.ts'
import { isRedacted } from '../../../core/secrets/is-redacted.ts'
import { describeError } from '../../../doors/sdk/tool-output.ts'
import { createThinnedOut } from './thin-out.ts'
import type { TurnPorts } from '../turn-ports.ts'
import { toJson, toolNameOf, type Chunk, type ToolPart } from '../ui-parts.ts'

export interface Pass {
  turn: Turn
  groupId: string
  /** Wire name → tool, as it was when the model chose. */
  wireNames: Readonly<Record<string, string>>
  signal: AbortSignal
  /** The model's original input where the message has marks, by tool call. */
  inputs: Readonly<Record<string, JsonValue>>
  write(chunk: Chunk): void
}

/** The state of one call of a pass, so far. */
export interface PassResult {
  part: ToolPart
  result: CallResult
}

/**
 * Makes the calls of one pass. Every one has a key of its own, so that a turn that is taken up again
 * finds the calls that it made instead of making them again.
 */
export async function makePass(
  parts: readonly ToolPart[],
  pass: Pass,
  ports: TurnPorts,
): Promise<PassResult[]> {
  const results: PassResult[] = []
  let next = 0
  async function work(): Promise<void> {
    for (let index = next++; index < parts.length; index = next++) {
      const part = parts[index]
      // Once the turn is to end, nobody is to be asked about what is left of it.
      if (part === undefined || pass.signal.aborted) return
      const result = await makeCall(part, { ...pass, index }, ports)
      results.push({ part, result })
      writeResult(part, result, pass.write)
    }
  }
  const workers = Math.min(ports.limits.callsAtOnce, parts.length)
  await Promise.all(Array.from({ length: workers }, work))
  return results
}

async function makeCall(
  part: ToolPart,
  pass: Pass & { index: number },
  ports: TurnPorts,
): Promise<CallResult> {
  const { turn, groupId, signal, write } = pass
  const { toolCallId } = part
  const wireName = toolNameOf(part)
  const partials = createThinnedOut((output: JsonValue) =>
    write({ type: 'tool-output-available', toolCallId, output, preliminary: true }),
  )
  try {
    return await ports.call({
      tool: ownValue(pass.wireNames, wireName) ?? wireName,
      input: (Object.hasOwn(pass.inputs, toolCallId) ? pass.inputs[toolCallId] : part.input) ?? {},
      caller: { ...turn.caller, sessionId: turn.caller.sessionId ?? turn.conversationId },
      idempotencyKey: keyOf(turn, pass.index),
      groupId,
      signal,
      durable: true,
      onOutput(output) {
        if ('partial' in output) partials.add(output.partial)
      },
    })
  } finally {
    partials.end()
  }
}

/** The key that a call of the current pass is made by: the same on every node. */
export function keyOf({ id, step }: Turn, index: number): string {
  return `${id}:${step}:${index}`
}

/** The end of a call, as streamed; or the question, if it waits for a person. */
export function writeResult(
  part: ToolPart,
  result: CallResult,
  write: (chunk: Chunk) => void,
): void {
  const { toolCallId } = part
  const toolMetadata = toMetadata(part, result)
  if (!isSettled(result.status)) {
    if (result.approvalId === undefined || part.approval?.id === result.approvalId) return
    const { callId, approvalId } = result
    write({ type: 'tool-approval-request', approvalId, toolCallId, approvalDescriptor: { callId } })
    return
  }
  if (result.status === 'completed') {
    answerApproval(part, { approved: true }, write)
    write({
      type: 'tool-output-available',
      toolCallId,
      output: toJson(result.output),
      toolMetadata,
    })
    return
  }
  const { error } = result
  const isRejected = error?.code === 'approval_rejected' && part.approval !== undefined
  if (isRejected) {
    answerApproval(part, { approved: false, reason: error.message }, write)
    write({ type: 'tool-output-denied', toolCallId })
    return
  }
  const errorText = error === undefined ? `The call is ${result.status}.` : describeError(error)
  write({ type: 'tool-output-error', toolCallId, errorText, toolMetadata })
}

/** The id of the call, so that readers of the message can look it up. */
function toMetadata({ toolMetadata }: ToolPart, { callId }: CallResult): JsonValue {
  const known = isRecord(toolMetadata) ? toolMetadata : {}
  return toJson(callId === undefined ? known : { ...known, callId })
}

function answerApproval(
  { approval }: ToolPart,
  answer: { approved: boolean; reason?: string },
  write: (chunk: Chunk) => void,
): void {
  if (approval === undefined || approval.approved !== undefined) return
  write({ type: 'tool-approval-response', approvalId: approval.id, ...answer })
}

/** Reports the calls that were waited for, in the order in which the model made them. */
export function writeSettled(
  calls: readonly { part: ToolPart; call: CallRecord | undefined }[],
  write: (chunk: Chunk) => void,
): void {
  for (const { part, call } of calls) {
    if (call === undefined) {
      const errorText = 'The record of this call was deleted.'
      write({ type: 'tool-output-error', toolCallId: part.toolCallId, errorText })
      continue
    }
    noteEdit(part, call, write)
    writeResult(part, call, write)
  }
}

/** A person may have changed what it ran with: the model is to know. */
function noteEdit(part: ToolPart, call: CallRecord, write: (chunk: Chunk) => void): void {
  const { toolCallId, approval } = part
  const asked = readAsked(part)
  // A secret in it is hidden in the record, which is not an edit by a person.
  const isSame = isRedacted(call.input) || isDeepEqual(asked.input, call.input)
  if (isSame || approval === undefined || call.status === 'denied') return
  const dynamic = part.type === 'dynamic-tool' ? { dynamic: true } : {}
  const toolName = toolNameOf(part)
  const input = asked.toGiven(call.input)
  write({ type: 'tool-input-available', toolCallId, toolName, input, ...dynamic })
  const { id: approvalId } = approval
  write({
    type: 'tool-approval-request',
    approvalId,
    toolCallId,
    approvalDescriptor: { callId: call.callId, isEdited: true },
  })
}

/**
 * The call that the model asked for, through `tools.call` too, and how it would have asked for
 * another.
 */
function readAsked(part: ToolPart): { input: JsonValue; toGiven(input: JsonValue): JsonValue } {
  const given = { tool: toolNameOf(part), input: toJson(part.input ?? {}) }
  const { tool, input } = unwrapCall(given, () => calledTool(part))
  if (tool === given.tool) return { input, toGiven: (other) => other }
  return { input, toGiven: (other) => ({ name: tool, input: JSON.stringify(other) }) }
}

/** The canonical name of the called tool, as streamed. */
function calledTool(part: ToolPart): string | undefined {
  const { name } = isRecord(part.toolMetadata) ? part.toolMetadata : {}
  return typeof name === 'string' ? name : undefined
}

/** The calls as kept with a waiting turn. Calls that were not reached stay as they were. */
export function toPassCalls(
  calls: readonly PassCall[],
  results: readonly PassResult[],
): readonly PassCall[] {
  const made = new Map(results.map(({ part, result }) => [part.toolCallId, result.callId]))
  return calls.map((call) => {
    const callId = made.get(call.toolCallId)
    return callId === undefined ? call : { ...call, callId }
  })
}
