import type { CallResult, WaitingFor } from '../../kernel/call.ts'
import type { EventPayloads } from '../../events/event.ts'
import { retryStore } from './retry-store.ts'
import { isRepeatable } from '../record/call-facts.ts'
import type { FinishedOutput } from '../output/finish-output.ts'
import type { PreparedCall } from '../context/prepare-call.ts'
import type { RunRecord } from '../record/run-record.ts'

/** The result of a run, which may not be the end of the call. */
export interface FinishedCall extends FinishedOutput {
  /** Stopped to wait for a call it made. */
  isSuspended?: boolean
  /** An external worker has the work now. */
  isHandedOver?: boolean
}

const firstRetryMs = 1000
const longestRetryMs = 300_000
/**
 * Work handed to an external worker is not given up because the database is away for some seconds.
 */
const longestDelayMs = 3200

/**
 * True if a run that ended this way may need more than settling. Most don't, and must not wait to
 * find out.
 */
export function mayMoveOn(
  { isSuspended, isHandedOver }: FinishedCall,
  { queued }: RunRecord,
): boolean {
  return queued !== undefined || isSuspended === true || isHandedOver === true
}

/** Records the end of a run, by this clock. */
interface Ending {
  record: RunRecord
  now(): number
}

/**
 * Moves a call whose run has ended but which is not done: to waiting in storage, or back to the
 * queue. Undefined when it is to be settled.
 */
export async function moveOn(
  call: PreparedCall,
  finished: FinishedCall,
  ending: Ending,
): Promise<CallResult | undefined> {
  if (finished.isSuspended) return wait(call, ending, { waitingFor: 'call' })
  if (finished.isHandedOver) {
    const deadlineAt = Date.parse(call.context.completion?.expiresAt ?? '') || undefined
    return wait(call, ending, { waitingFor: 'external', deadlineAt })
  }
  return putBack(call, finished, ending)
}

/**
 * If the record refuses, the call was settled in the meantime, perhaps by a fast external worker.
 */
async function wait(
  call: PreparedCall,
  { record: { writer, queued }, now }: Ending,
  to: { waitingFor: WaitingFor; deadlineAt?: number },
): Promise<CallResult | undefined> {
  const { callId } = call.facts
  const data: EventPayloads['call.waiting'] = { for: to.waitingFor, ...costSoFar(call) }
  if (to.deadlineAt !== undefined) data.until = new Date(to.deadlineAt).toISOString()
  const from = {
    ...to,
    attempt: queued?.attempt ?? 1,
    events: [{ type: 'call.waiting' as const, at: now(), data }],
  }
  await retryStore(() => writer.wait(from), longestDelayMs)
  return { callId, status: 'waiting', waitingFor: to.waitingFor }
}

/**
 * A stop must not be worse than a crash: repeatable background work goes back to the queue. So does
 * a failure that is worth a retry, with increasing delay.
 */
async function putBack(
  call: PreparedCall,
  { error }: FinishedCall,
  { record: { writer, queued }, now }: Ending,
): Promise<CallResult | undefined> {
  const { contract, callId } = call.facts
  if (error === undefined || queued === undefined || !isRepeatable(contract)) return undefined
  const isStop = error.code === 'interrupted'
  const mayRetry = error.retryable && queued.failures < contract.retries
  if (!isStop && !mayRetry) return undefined
  const startAt = isStop ? undefined : now() + retryDelayMs(queued.failures)
  const why = isStop
    ? { reason: 'The server stopped' }
    : { reason: error.message, code: error.code, retry: queued.failures + 1 }
  const data = { ...why, ...costSoFar(call) }
  const isBack = await writer
    .requeue({
      attempt: queued.attempt,
      work: { ...queued.work, startAt },
      isFailure: !isStop,
      events: [{ type: 'call.queued', at: now(), data }],
    })
    .catch(() => false)
  return isBack ? { callId, status: 'queued' } : undefined
}

/** The cost of this run; the next one starts at zero. */
function costSoFar({ spending }: PreparedCall): { cost?: number } {
  return spending.units > 0 ? { cost: spending.units } : {}
}

/** Doubles from a second to five minutes, with jitter so that retries spread out. */
function retryDelayMs(failures: number): number {
  const longest = Math.min(longestRetryMs, firstRetryMs * 2 ** failures)
  return longest / 2 + (Math.random() * longest) / 2
}
