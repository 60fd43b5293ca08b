import type { CallError, CallResult } from '../call.ts'
import { ToolError } from '../errors.ts'
import { isRepeatable, toCallError, toResult, toSettlement } from './call-facts.ts'
import type { CallWriter } from './call-recorder.ts'
import { type FinishedOutput, finishOutput, redactError } from './finish-output.ts'
import { createOutputFeed } from './output-feed.ts'
import type { PipelinePorts } from './ports.ts'
import type { PreparedCall } from './prepare-call.ts'
import { runTool } from './run-tool.ts'
import { toJsonValue } from './to-json-value.ts'
import type { JsonValue } from '../tool.ts'

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
  try {
    const started = await writer.start()
    // Cancelled, or taken by another node, between the answer and now.
    if (started === undefined) return { callId, status: 'cancelled' }
    return await run(call, { writer, attempt: started.attempt, durable: true }, ports)
  } catch (error) {
    ports.onWarning(`${callId} could not be started: ${toCallError(error).message}`)
    return { callId, status: 'queued' }
  } finally {
    call.control.release()
  }
}

async function run(
  call: PreparedCall,
  record: { writer: CallWriter; attempt?: number; durable?: boolean },
  ports: PipelinePorts,
): Promise<CallResult> {
  const finished = await execute(call, record.writer, ports)
  call.control.release()
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
  return confirm(written, toResult(settlement), () =>
    ports.waitForCall(call.facts.caller.tenant, settlement.callId, undefined),
  )
}

/** Audit fields are the tool's words: made JSON and free of secrets like all it says. */
function cleanLog({ log, redactor }: PreparedCall): Record<string, JsonValue> {
  if (Object.keys(log).length === 0) return log
  const value = toJsonValue(log).value
  return (redactor.isEmpty ? value : redactor.redactValue(value)) as Record<string, JsonValue>
}

/** What is answered is on disk. A settlement that lost to an earlier one gives that one's result. */
async function confirm(
  written: Promise<boolean>,
  result: CallResult,
  findEarlier: () => Promise<CallResult>,
): Promise<CallResult> {
  const { callId } = result
  try {
    return (await written) ? result : await findEarlier()
  } catch (error) {
    const lost = new ToolError(
      'record_failed',
      'The tool ran, but its end could not be recorded yet',
      {
        cause: error,
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
      onPartial: feed.partial,
      onRetry: (attempt, error) => {
        const data = { attempt, after: redactor.redactText(toCallError(error).message) }
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
    return { error: redactError(toEndError(error, call), redactor), warnings: [] }
  }
}

/** Interrupted in the middle of an effect, nobody knows whether it happened: say so, never repeat it. */
function toEndError(thrown: unknown, call: PreparedCall): CallError {
  const error = toCallError(thrown)
  if (error.code !== 'interrupted' || isRepeatable(call.facts.contract)) return error
  return {
    code: 'outcome_unknown',
    message: 'The server stopped while the tool ran; whether it took effect is not known',
    retryable: false,
  }
}
