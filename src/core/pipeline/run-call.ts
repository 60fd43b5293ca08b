import type { CallError, CallResult } from '../call.ts'
import { ToolError } from '../errors.ts'
import type { JsonValue } from '../tool.ts'
import { presentError, toCallError } from './call-error.ts'
import { isRepeatable, toResult, toSettlement } from './call-facts.ts'
import type { CallWriter } from './call-recorder.ts'
import { type FinishedOutput, finishOutput } from './finish-output.ts'
import { createOutputFeed } from './output-feed.ts'
import type { PipelinePorts } from './ports.ts'
import type { PreparedCall } from './prepare-call.ts'
import { runTool } from './run-tool.ts'
import { startFromQueue } from './start-from-queue.ts'
import { toJsonValue } from './to-json-value.ts'

/** How a run is begun: at once, or from the queue after the caller has its answer. */
export type RunFrom = 'now' | 'queue'

/** Runs a recorded call to its end. Never rejects; cancel and drain know of it meanwhile. */
export function runCall(
  call: PreparedCall,
  record: { writer: CallWriter; from: RunFrom; durable?: boolean },
  ports: PipelinePorts,
): Promise<CallResult> {
  const done =
    record.from === 'now' ? run(call, record, ports) : runFromQueue(call, record.writer, ports)
  ports.running.add({
    callId: call.facts.callId,
    tenant: call.facts.caller.tenant,
    abort: call.control.abort,
    done,
  })
  return done
}

async function runFromQueue(
  call: PreparedCall,
  writer: CallWriter,
  ports: PipelinePorts,
): Promise<CallResult> {
  const { callId } = call.facts
  const started = await startFromQueue(call, writer, ports.onWarning)
  if (started.kind === 'started') {
    return run(call, { writer, attempt: started.attempt, durable: true }, ports)
  }
  call.control.release()
  return { callId, status: started.kind === 'gone' ? 'cancelled' : 'queued' }
}

interface RunRecord {
  writer: CallWriter
  /** Of a call from the queue: fences a run that was thought dead. */
  attempt?: number
  durable?: boolean
}

async function run(
  call: PreparedCall,
  record: RunRecord,
  ports: PipelinePorts,
): Promise<CallResult> {
  const finished = await execute(call, record.writer, ports)
  call.control.release()
  if (await isPutBack(call, record, finished))
    return { callId: call.facts.callId, status: 'queued' }
  const settlement = toSettlement(call.facts, finished, {
    log: cleanLog(call),
    attempt: record.attempt,
  })
  ports.onSettled({
    tool: call.facts.contract.name,
    status: settlement.status,
    durationMs: settlement.settledAt - call.facts.requestedAt,
  })
  const written = record.writer.settle(settlement)
  if (record.durable === false) {
    // The record follows in a moment; if the disk refuses it, it is kept and tried again.
    written.catch(() => undefined)
    return toResult(settlement)
  }
  return confirm(written, toResult(settlement), { call, ports })
}

/** A stop must not be worse than a crash: background work that may be repeated goes back to the queue. */
async function isPutBack(
  call: PreparedCall,
  { writer, attempt }: RunRecord,
  { error }: FinishedOutput,
): Promise<boolean> {
  const mayGoBack = attempt !== undefined && isRepeatable(call.facts.contract)
  if (error?.code !== 'interrupted' || !mayGoBack) return false
  return writer.requeue(attempt).catch(() => false)
}

/** Audit fields are the tool's words: made JSON and free of secrets like all it says. */
function cleanLog({ log, redactor }: PreparedCall): Record<string, JsonValue> {
  if (Object.keys(log).length === 0) return log
  const value = toJsonValue(log).value
  const clean = (redactor.isEmpty ? value : redactor.redactValue(value)) as Record<
    string,
    JsonValue
  >
  const size = JSON.stringify(clean).length
  return size <= maxLogChars ? clean : { dropped: `the audit fields were ${size} characters long` }
}

/** Audit fields are notes about a call, not its output. */
const maxLogChars = 16_384

/** What is answered is on disk. A settlement that lost to an earlier one gives that one's result. */
async function confirm(
  written: Promise<boolean>,
  result: CallResult,
  { call, ports }: { call: PreparedCall; ports: PipelinePorts },
): Promise<CallResult> {
  const { callId, caller, contract } = call.facts
  try {
    return (await written) ? result : await ports.waitForCall(caller.tenant, callId, undefined)
  } catch (error) {
    const lost = new ToolError(
      'record_failed',
      'The tool ran, but its end could not be recorded yet',
      {
        cause: error,
        // Calling again would be a second effect, not a second try.
        retryable: isRepeatable(contract),
        fix: `Look again later: toolcrib call --watch ${callId}`,
      },
    )
    return { callId, status: 'failed', error: toCallError(lost) }
  }
}

/** Runs the tool's function and makes its end presentable, whatever that end is. */
async function execute(
  call: PreparedCall,
  writer: CallWriter,
  ports: PipelinePorts,
): Promise<FinishedOutput> {
  const { facts, redactor, behaviour } = call
  const { contract } = facts
  let hasBegun = false
  const feed = createOutputFeed({
    redactor,
    maxBytes: contract.maxOutputBytes,
    onOutput: call.onOutput,
    append: (events) => writer.append(events),
  })
  call.feed.current = feed
  try {
    const returned = await runTool({
      behaviour,
      input: call.input,
      context: call.context,
      control: call.control,
      retries: isRepeatable(contract) ? contract.retries : 0,
      timeoutMs: facts.timeoutMs,
      onPartial: feed.partial,
      onBegin: () => (hasBegun = true),
      onRetry: (attempt, error) => {
        const data = { attempt, after: presentError(toCallError(error), redactor).message }
        writer.append([{ type: 'call.started', at: Date.now(), data }])
      },
    })
    feed.end()
    return await finishOutput(returned, {
      callId: facts.callId,
      tenant: facts.caller.tenant,
      contract,
      parseOutput: behaviour.parseOutput,
      redactor,
      artifacts: ports.artifacts,
      maxArtifactBytes: ports.limits.maxArtifactBytes,
    })
  } catch (error) {
    feed.end()
    return { error: presentError(toEndError(error, call, hasBegun), redactor), warnings: [] }
  }
}

/**
 * What the end means for somebody who thinks of calling again. Cut off in the middle of an effect,
 * nobody knows whether it happened: that is said, and never counts as worth a retry.
 */
function toEndError(thrown: unknown, call: PreparedCall, hasBegun: boolean): CallError {
  const error = toCallError(thrown)
  const isOurs = thrown === call.control.reason
  // Only a cancelled call is cancelled; a tool that says so of itself has failed.
  if (error.code === 'cancelled' && !isOurs) return { ...error, code: 'tool_failed' }
  if (isRepeatable(call.facts.contract) || !hasBegun) return error
  if (error.code === 'timeout') return { ...error, retryable: false }
  if (error.code !== 'interrupted') return error
  return {
    code: 'outcome_unknown',
    message: 'The server stopped while the tool ran; whether it took effect is not known',
    retryable: false,
  }
}
