import type { CallError, CallRecord, CallResult } from '../../core/kernel/call.ts'
import type { CallOutput } from '../../core/kernel/call-request.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { isDeepEqual } from '../../core/kernel/json/deep-equal.ts'
import { isRedacted } from '../../core/secrets/is-redacted.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { usedByOther } from '../../core/pipeline/used-by-other.ts'
import { toCallKey } from './call-key.ts'
import { withKeptBytes } from './with-kept-bytes.ts'
import { findMeantCall, type MeantCall, unwrapInput } from './meant-call.ts'

/** How a model's tool call ended, or how far it is. */
export type Outcome =
  | { kind: 'done'; output: JsonValue; callId: string | undefined; note?: string }
  | { kind: 'failed'; error: CallError; callId: string | undefined }
  /** Denied by policy or a person, or not answered in time. */
  | { kind: 'denied'; error: CallError; callId: string | undefined }
  | PendingCall

/** A call that has not ended. */
export interface PendingCall {
  kind: 'pending'
  callId: string
  status: string
  approvalId?: string
  /** The tool and input it is about, if its name means another tool now. */
  stored?: { tool: string; input: JsonValue }
}

export interface ToolRunOptions {
  /** The scope of tool call ids: one conversation, or one turn of it. */
  runId: string
  /** How long a call that is queued, works in the background or waits for somebody is waited for. */
  waitMs: number
  /** The group whose continuation waits for the calls. */
  groupId?: string
  /** Receives the id of the call that a model's tool call became. */
  onCall?: (call: { toolCallId: string; callId: string; tool: string }) => void
}

/** One tool call of a model. */
export interface ModelCall {
  tool: OfferedTool
  toolCallId: string
  input: unknown
  /** The conversation contains a person's approval of it. */
  isApproved?: boolean
  signal?: AbortSignal | undefined
  onOutput?: (output: CallOutput) => void
}

/** A tool call of an earlier turn; its name then may belong to no tool now. */
export type PastCall = Omit<ModelCall, 'tool'> & { tool: OfferedTool | undefined }

/** The tool calls of one run, each made at most once. */
export interface SdkRun {
  /** The tool and input to show people for a call. */
  meant(call: Pick<ModelCall, 'tool' | 'input'>): Promise<MeantCall>
  /** The state of the call if a person must be asked; undefined if it can simply be made. */
  ask(call: ModelCall): Promise<Outcome | undefined>
  run(call: ModelCall): Promise<Outcome>
  /** Passes an answer on and returns the call's state after it; undefined if nobody was asked. */
  answer(
    call: PastCall,
    said?: { approved: boolean; reason?: string },
  ): Promise<Outcome | undefined>
}

/** Makes tool calls of models through a crib. Nothing here rejects. */
export function createToolRun(port: ToolPort, options: ToolRunOptions): SdkRun {
  const toKey = ({ toolCallId }: PastCall) => toCallKey(options.runId, toolCallId)
  const toRequest = async (call: ModelCall) => ({
    tool: call.tool.name,
    input: call.input,
    // Plain reads do no harm when they are repeated, and are recorded in batches without a key.
    ...(isKeyed(call.tool) && { idempotencyKey: await toKey(call) }),
  })

  const toWatch = async (call: ModelCall) => {
    const { toolCallId, signal, onOutput } = call
    const name = options.onCall ? (await findMeantCall(port, call)).name : ''
    return {
      signal,
      onOutput,
      groupId: options.groupId,
      onCall: (callId: string) => options.onCall?.({ toolCallId, callId, tool: name }),
    }
  }

  async function ask(call: ModelCall): Promise<CallResult | undefined> {
    return call.tool.mayAsk ? port.ask(await toRequest(call)) : undefined
  }

  const find = async (call: PastCall) => findStored(port, call, await toKey(call))

  async function settle(result: CallResult, call: PastCall): Promise<Outcome> {
    const settled = await untilSettled(port, result, { call, waitMs: options.waitMs })
    const notes = [await findNote(port, settled, call), cutNote(settled)]
    const outcome = toOutcome(settled, notes.filter((note) => note !== undefined).join('\n'))
    const { callId } = outcome
    if (outcome.kind !== 'done' || callId === undefined) return outcome
    return { ...outcome, output: await withKeptBytes(port, { output: outcome.output, callId }) }
  }

  return {
    meant: (call) => findMeantCall(port, call),
    ask: async (call) => {
      const { other } = call.tool.asks ? await find(call) : {}
      const result = other ?? (await ask(call))
      return result && withStored(toOutcome(result), other)
    },
    run: (call) =>
      safely(async () => {
        const mayBeStored = call.isApproved === true || call.tool.asks
        const { other, same } = mayBeStored ? await find(call) : {}
        const result =
          other ?? (await port.call({ ...(await toRequest(call)), ...(await toWatch(call)) }))
        // Nobody can have approved a question that is only asked now.
        const wasAsked = (other ?? same) !== undefined
        if (call.isApproved === true && wasAsked) await tellDecision(result, yes, port)
        return settle(result, call)
      }),
    answer: (call, said) =>
      safely(async () => {
        const { tool } = call
        const { other, same } = await find(call)
        // A waiting call keeps waiting, even if its tool would not ask any more.
        const result = other ?? (tool && (await ask({ ...call, tool }))) ?? same
        if (result === undefined) return undefined
        if (said !== undefined) await tellDecision(result, said, port)
        return withStored(await settle(result, call), other)
      }),
  }
}

const yes = { approved: true }

/**
 * Finds a call under its tool, or else under another. Wire names change hands when tools come and
 * go, and a question about one tool must never become a call of another.
 */
async function findStored(
  port: ToolPort,
  { tool, input }: PastCall,
  key: string,
): Promise<{ same?: CallRecord; other?: CallRecord }> {
  const stored = await port.findByKey(key)
  const last = stored.at(-1)
  if (last === undefined) return {}
  const name = tool && (await findMeantCall(port, { tool, input })).name
  const same = stored.find((one) => one.tool === name)
  return same ? { same } : { other: last }
}

function withStored(outcome: Outcome, other: CallRecord | undefined): Outcome {
  if (outcome.kind !== 'pending' || other === undefined) return outcome
  return { ...outcome, stored: { tool: other.tool, input: other.input } }
}

/** With a key a call is made once, however often the model, the SDK or a client repeats it. */
function isKeyed({ effect, mayAsk }: OfferedTool): boolean {
  return effect !== 'read' || mayAsk
}

async function tellDecision(
  { status, callId, approvalId }: CallResult,
  said: { approved: boolean; reason?: string },
  port: ToolPort,
): Promise<void> {
  if (status !== 'waiting' || callId === undefined || approvalId === undefined) return
  try {
    await port.decide?.({ approvalId, callId, ...said })
  } catch {
    // Refused, or too late: the stored approval has its state.
  }
}

const settledStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'denied', 'cancelled'])

/**
 * There is a call by now: if it cannot be read, its last known state is used. If it were reported
 * as a temporary failure, a model would repeat it.
 */
async function untilSettled(
  port: ToolPort,
  result: CallResult,
  { call, waitMs }: { call: PastCall; waitMs: number },
): Promise<CallResult> {
  const { callId } = result
  if (settledStatuses.has(result.status) || callId === undefined) return result
  const look = (options?: { waitMs: number; signal?: AbortSignal }) =>
    port.findCall(callId, options).catch(() => undefined)
  const isWaiting = result.status === 'waiting' && result.waitingFor === 'approval'
  const now = (isWaiting ? await look() : result) ?? result
  // Nobody waits here for a person; running calls are awaited.
  if (now.status === 'waiting' && now.waitingFor === 'approval') return result
  if (settledStatuses.has(now.status) || waitMs <= 0) return now
  return (await look({ waitMs, ...(call.signal && { signal: call.signal }) })) ?? now
}

/** A note that the model cannot guess from the output: a person changed its input. */
async function findNote(
  port: ToolPort,
  result: CallResult,
  { tool, input, isApproved }: PastCall,
): Promise<string | undefined> {
  if (result.status !== 'completed' || result.callId === undefined) return undefined
  const wasAsked = isApproved === true || (tool && (await mayHaveAsked(port, { tool, input })))
  if (wasAsked !== true) return undefined
  const record =
    'input' in result
      ? (result as { input: JsonValue })
      : await port.findCall(result.callId).catch(() => undefined)
  // It has run: being unable to report the result is not a reason to call it failed.
  if (record === undefined || isRedacted(record.input)) return undefined
  const { input: ran } = record
  if (isDeepEqual(ran, askedInput({ tool, input }))) return undefined
  return `A person changed the input before it ran. It ran with: ${JSON.stringify(ran)}`
}

/** Also of the tool that is called through `tools.call`, which asks for itself alone. */
async function mayHaveAsked(
  port: ToolPort,
  call: { tool: OfferedTool; input: unknown },
): Promise<boolean> {
  if (call.tool.asks || !call.tool.mayAsk) return call.tool.asks
  return (await findMeantCall(port, call)).mayAsk
}

/** The call that the model asked for, through `tools.call` too. */
function askedInput({ tool, input }: Pick<PastCall, 'tool' | 'input'>): unknown {
  const meant = tool && unwrapInput({ tool, input })
  return meant === undefined ? input : meant.input
}

function cutNote({ artifact, callId }: CallResult): string | undefined {
  return (
    artifact &&
    `The output was cut. All ${artifact.bytes} bytes are kept as the artifact of ${callId}.`
  )
}

function toOutcome(result: CallResult, note = ''): Outcome {
  const { status, callId, error, output = null, approvalId } = result
  if (status === 'completed') return { kind: 'done', output, callId, ...(note !== '' && { note }) }
  if (!settledStatuses.has(status) && callId !== undefined) {
    return { kind: 'pending', callId, status, ...(approvalId !== undefined && { approvalId }) }
  }
  const failure = error ?? {
    code: 'internal' as const,
    message: `The call ended ${status}`,
    retryable: false,
  }
  const kind = isRefusal(status, failure) ? 'denied' : 'failed'
  return { kind, error: inWords(failure), callId }
}

/** A model has made no key: its tool call has an id, which another had before. */
function inWords(error: CallError): CallError {
  if (error.code !== 'idempotency_mismatch') return error
  // The call is there, and may have run: made as a new one, it would run twice.
  if (error.message === usedByOther) return byOther
  return {
    ...error,
    message:
      'A call with this id was made before in this run, with other input. Nothing was run now.',
    fix: 'If it is still wanted, make it as a new tool call. Where ids of tool calls come again, every turn needs a runId of its own.',
  }
}

const byOther: CallError = {
  code: 'forbidden',
  message:
    'This call was made before by somebody else, such as another key: what became of it is theirs to see',
  retryable: false,
  fix: 'Do not make it again. Continue as its caller, or with a key that may read the record (audit.read).',
}

function isRefusal(status: string, { code }: CallError): boolean {
  return status === 'denied' || code === 'approval_rejected' || code === 'approval_expired'
}

async function safely<T extends Outcome | undefined>(work: () => Promise<T>): Promise<T | Outcome> {
  try {
    return await work()
  } catch (error) {
    return { kind: 'failed', error: toCallError(error), callId: undefined }
  }
}
