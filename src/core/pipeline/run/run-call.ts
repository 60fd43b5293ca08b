import type { CallError, CallResult } from '../../kernel/call.ts'
import type { CallConversation } from '../../kernel/context/call-conversation.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { JsonValue, ToolContract } from '../../kernel/tool.ts'
import { presentError, toCallError } from '../record/call-error.ts'
import { isRepeatable, mayRunAgain, toResult, toSettlement } from '../record/call-facts.ts'
import { raiseBeforeRun } from '../data-flow.ts'
import { finishOutput } from '../output/finish-output.ts'
import { confirmEnd } from './confirm-end.ts'
import { endChildren } from './end-stored.ts'
import { type FinishedCall, mayMoveOn, moveOn } from './move-on.ts'
import { createOutputFeed } from '../output/output-feed.ts'
import type { PipelinePorts } from '../ports.ts'
import type { PreparedCall } from '../context/prepare-call.ts'
import type { RunRecord } from '../record/run-record.ts'
import { runTool } from './run-tool.ts'
import { toJsonValue } from '../output/to-json-value.ts'

/**
 * Runs a recorded call to its end. Never rejects; cancellation and drain can reach it in the
 * meantime.
 */
export function runCall(
  call: PreparedCall,
  record: RunRecord,
  ports: PipelinePorts,
): Promise<CallResult> {
  const done = run(call, record, ports)
  const { callId, caller } = call.facts
  ports.running.add({ callId, tenant: caller.tenant, control: call.control, done })
  return done
}

async function run(
  call: PreparedCall,
  record: RunRecord,
  ports: PipelinePorts,
): Promise<CallResult> {
  let finished = await execute(call, record, ports)
  call.control.release()
  if (mayMoveOn(call, finished, record)) {
    const { now, work } = ports
    const moved = await moveOn(call, finished, { record, now, prepare: work.prepare }).catch(
      (error: unknown) => {
        // A call from the queue continues from there; nobody else would ever pick up the rest.
        if (record.queued !== undefined) throw error
        finished = { error: toCallError(notWaiting(error)), warnings: [] }
        return undefined
      },
    )
    if (moved !== undefined) {
      ports.work.wake()
      return moved
    }
  }
  const settlement = toSettlement(call.facts, finished, {
    log: cleanLog(call),
    settledAt: ports.now(),
    contract: call.facts.contract,
    reported: call.spending.units,
    usage: call.spending.usage,
    // A node that was frozen must not end what another has taken over.
    attempt: record.queued?.attempt ?? 1,
    hadJob: record.queued !== undefined,
  })
  ports.onSettled({
    tool: call.facts.contract.name,
    status: settlement.status,
    durationMs: settlement.settledAt - call.facts.requestedAt,
  })
  const written = record.writer.settle(settlement)
  if (record.durable === false) {
    // The record follows in a moment; if the disk refuses it, it is kept and retried.
    written.catch(() => undefined)
    return toResult(settlement)
  }
  const isAwaited = record.queued === undefined
  const result = await confirmEnd(written, toResult(settlement), { call, isAwaited, ports })
  if (call.steps?.hasOpen) {
    await endChildren({ tenant: settlement.tenant, callId: settlement.callId }, ports)
  }
  // A parent that was stopped to wait for this call may continue, as may whatever waits for its
  // group.
  const { parentId, groupId } = call.facts
  const mayBeAwaited = record.queued !== undefined && parentId !== undefined
  if (mayBeAwaited || groupId !== undefined) ports.work.wake()
  return result
}

function notWaiting(cause: unknown): ToolError {
  const message = 'It had to wait for a call it made, and that could not be recorded'
  return new ToolError('record_failed', message, { cause, retryable: true })
}

/** Audit fields come from the tool: they are converted to JSON and redacted like all its output. */
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

/** Runs the tool's function and converts any outcome to a result. */
async function execute(
  call: PreparedCall,
  { writer, queued }: RunRecord,
  ports: PipelinePorts,
): Promise<FinishedCall> {
  const { facts, redactor, behaviour } = call
  const { contract } = facts
  let hasBegun = false
  const feed = createOutputFeed({
    redactor,
    maxBytes: contract.maxOutputBytes,
    onOutput: call.onOutput,
    now: ports.now,
    append: (events) => writer.append(events),
  })
  call.feed.current = feed
  try {
    if (facts.flow !== undefined && call.control.reason === undefined) {
      await raiseBeforeRun(facts, ports)
    }
    const ran = await runTool({
      behaviour,
      input: call.input,
      context: call.context,
      steps: call.steps,
      control: call.control,
      // A call from the queue goes back to the queue to be retried.
      retries: isRepeatable(contract) && queued === undefined ? contract.retries : 0,
      timeoutMs: facts.timeoutMs,
      onPartial: feed.partial,
      onBegin: () => (hasBegun = true),
      onRetry: (attempt, error) => {
        const data = { attempt, after: presentError(toCallError(error), redactor).message }
        writer.append([{ type: 'call.started', at: ports.now(), data }])
        // State set by a failed attempt is not kept.
        call.conversation.current = undefined
        call.nested.restart()
      },
    })
    const returned = call.nested.finish(ran)
    feed.end()
    if (contract.execution === 'external') return await handOver(call)
    const finishing = finishOutput(returned, {
      callId: facts.callId,
      tenant: facts.caller.tenant,
      contract,
      parseOutput: behaviour.parseOutput,
      redactor,
      artifacts: ports.artifacts,
      maxArtifactBytes: ports.limits.maxArtifactBytes,
    })
    const finished = finishing instanceof Promise ? await finishing : finishing
    if (call.conversation.current === undefined || finished.error !== undefined) return finished
    const remarks = await keepState(call.conversation.current, contract.effect)
    return { ...finished, warnings: [...finished.warnings, ...remarks] }
  } catch (error) {
    feed.end()
    if (call.nested.isSuspension(error)) return { isSuspended: true, warnings: [] }
    const end = toEndError(error, call, hasBegun)
    return { error: presentError(end, redactor), warnings: doubts(end, contract, hasBegun) }
  }
}

/** The return value of an external tool concerns the handover; its output comes from outside. */
async function handOver({ conversation, facts }: PreparedCall): Promise<FinishedCall> {
  const { current } = conversation
  const warnings = current === undefined ? [] : await keepState(current, facts.contract.effect)
  return { isHandedOver: true, warnings }
}

/**
 * Writes the call's state in its conversation. A call whose effect has happened has completed, even
 * if this fails: a model that saw a failure would repeat it.
 */
async function keepState(
  conversation: Pick<CallConversation, 'flush'>,
  effect: ToolContract['effect'],
): Promise<readonly string[]> {
  try {
    return await conversation.flush()
  } catch (error) {
    if (effect === 'read') throw error
    return [`The call is done, but the state was not kept: ${toCallError(error).message}`]
  }
}

/** Ended from outside while it ran: its effects up to then have happened. */
function doubts({ code }: CallError, { effect }: ToolContract, hasBegun: boolean): string[] {
  if (!hasBegun || effect === 'read' || (code !== 'cancelled' && code !== 'timeout')) return []
  return ['The tool was already running, so its effect may have happened. Check before a retry.']
}

/**
 * The error as guidance for a caller who thinks of retrying. If a call was interrupted in the
 * middle of an effect, nobody knows whether it happened: the error states that, and is never
 * retryable.
 */
function toEndError(thrown: unknown, call: PreparedCall, hasBegun: boolean): CallError {
  const isOurs = thrown === call.control.reason
  const error = toCallError(isOurs ? thrown : (call.nested.mismatch ?? thrown))
  // Only a cancelled call is cancelled; a tool that reports this code itself has failed.
  if (error.code === 'cancelled' && !isOurs) return { ...error, code: 'tool_failed' }
  if (mayRunAgain(call.facts) || !hasBegun) return error
  if (error.code === 'timeout') return { ...error, retryable: false }
  if (error.code !== 'interrupted') return error
  return {
    code: 'outcome_unknown',
    message: 'The server stopped while the tool was running; whether it took effect is not known',
    retryable: false,
  }
}
