import type { CallError, CallResult, Caller } from '../../../core/kernel/call.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { isSettled } from '../../../core/call-state.ts'
import { failuresToDisable, isSuspended, isTurnedAway, mayTryAgain } from '../retry-rule.ts'
import { retryDelayMs } from '../retry-rule.ts'
import type { RunProgress } from '../schedule-store.ts'
import type { ScheduledRequest, RunTry, StoredRun } from '../model.ts'
import type { SchedulePorts } from './ports.ts'

const shortestLookMs = 200
const longestLookMs = 60_000
/**
 * A server that is stopping or overloaded refuses requests; for this long that does not count as a
 * failure of the tool.
 */
const turnedAwayForMs = 600_000
const turnedAwayAgainMs = 5_000
const keepRuns = 1000
/** Trimming old runs on one of this many ends is often enough. */
const trimOneIn = 50
const longestMessage = 500

/**
 * Does the next step of an open run: makes its call, or checks its result. Returns the updated run.
 */
export async function attendRun(run: StoredRun, ports: SchedulePorts): Promise<StoredRun> {
  const { request } = run
  if (request === undefined) return run
  if (run.callId === undefined) return makeCall(run, request, ports)
  const call = await ports.findCall(run.tenant, run.callId)
  if (call === undefined) return endTry(run, lostCall(run.callId), ports)
  if (isSettled(call.status)) return endTry(run, call, ports)
  return progress(run, { ...run, lookMs: ports.now() + lookDelayMs(run, ports.now()) }, ports)
}

/** The caller of a schedule: never more than its author had, and policy decides again. */
function toCaller(run: StoredRun, { agent, authority }: ScheduledRequest): Caller {
  const { principal, permissions, runtime, parents, skill } = authority
  return {
    tenant: run.tenant,
    principal: { kind: 'system', id: `schedule:${run.scheduleId}` },
    permissions,
    runtime,
    sessionId: run.scheduleId,
    onBehalfOf: principal,
    ...(agent !== undefined && { agent }),
    ...(parents !== undefined && { parents }),
    ...(skill !== undefined && { skill }),
  }
}

async function makeCall(
  run: StoredRun,
  request: ScheduledRequest,
  ports: SchedulePorts,
): Promise<StoredRun> {
  const input = openInput(run, request, ports)
  if (input === undefined) return endTry(run, lostInput, ports)
  const result = await ports.call({
    tool: request.tool,
    input,
    caller: toCaller(run, request),
    idempotencyKey: `schedule:${run.id}:${run.attempt}`,
    respondAsync: true,
  })
  const now = ports.now()
  const { callId } = result
  if (callId !== undefined && !isSettled(result.status)) {
    return progress(run, { ...run, callId, lookMs: now + shortestLookMs }, ports)
  }
  const isInTime = isSuspended(result.error) || now - run.firedMs < turnedAwayForMs
  if (callId === undefined && isInTime && isTurnedAway(result.error)) {
    return progress(run, { ...run, lookMs: now + turnedAwayAgainMs }, ports)
  }
  return endTry(run, result, ports)
}

function openInput(
  { scheduleId }: StoredRun,
  { input, sealedInput }: ScheduledRequest,
  { inputs }: SchedulePorts,
): JsonValue | undefined {
  if (sealedInput === undefined) return input
  try {
    return inputs.open(sealedInput, scheduleId)
  } catch {
    return undefined
  }
}

const lostInput: CallResult = {
  status: 'failed',
  error: {
    code: 'secret_missing',
    message:
      'The secret fields of its input can no longer be read: the master key they were sealed with is missing. Enter them again in the schedule',
    retryable: false,
  },
}

async function progress(
  run: StoredRun,
  next: RunProgress,
  ports: SchedulePorts,
): Promise<StoredRun> {
  const { attempt, callId, tries, lookMs } = next
  await ports.schedules.progressRun(run, { attempt, callId, tries, lookMs })
  return { ...run, attempt, callId, tries, lookMs }
}

async function endTry(
  run: StoredRun,
  result: CallResult,
  ports: SchedulePorts,
): Promise<StoredRun> {
  const tries = [...run.tries, toTry(result)]
  const error = tries.at(-1)?.error
  const retries = run.request?.retries ?? 0
  if (error !== undefined && run.attempt <= retries && mayTryAgain(error)) {
    const lookMs = ports.now() + retryDelayMs(run.attempt, ports.random())
    return progress(run, { attempt: run.attempt + 1, tries, lookMs }, ports)
  }
  return finish(run, tries, ports)
}

async function finish(
  run: StoredRun,
  tries: readonly RunTry[],
  ports: SchedulePorts,
): Promise<StoredRun> {
  const error = tries.at(-1)?.error
  const status = error === undefined ? 'completed' : 'failed'
  const finishedMs = ports.now()
  const reason = `${failuresToDisable} runs in a row failed, the last with ${error?.code}: ${error?.message}`
  const facts = { id: run.scheduleId, name: run.request?.name ?? '', reason }
  const principal = { kind: 'system', id: `schedule:${run.scheduleId}` } as const
  const event = { type: 'schedule.disabled', at: finishedMs, data: facts } as const
  await ports.schedules.finishRun(run, {
    status,
    tries,
    finishedMs,
    disabling: { after: failuresToDisable, reason, told: { principal, event } },
  })
  if (ports.random() * trimOneIn < 1) {
    await ports.schedules.trimRuns(run.tenant, run.scheduleId, keepRuns)
  }
  return { ...run, status, tries, finishedMs, callId: undefined, lookMs: undefined }
}

/** The stored part of an attempt. The call itself has the rest. */
function toTry({ callId, status, error }: CallResult): RunTry {
  const kept: RunTry = callId === undefined ? {} : { callId }
  if (status === 'completed') return kept
  const code = error?.code ?? (status === 'cancelled' ? 'cancelled' : 'internal')
  const message = (error?.message ?? `The call ended as ${status}`).slice(0, longestMessage)
  return { ...kept, error: { code, message, retryable: error?.retryable ?? false } }
}

/** Calls are kept longer than runs stay open, so a missing call was deleted manually. */
function lostCall(callId: string): CallResult {
  const error: CallError = {
    code: 'outcome_unknown',
    message: 'The record of its call was deleted',
    retryable: false,
  }
  return { callId, status: 'failed', error }
}

/** Often at first, then less and less often: a call may wait days for approval. */
function lookDelayMs(run: StoredRun, now: number): number {
  return Math.round(Math.min(Math.max((now - run.firedMs) / 4, shortestLookMs), longestLookMs))
}
