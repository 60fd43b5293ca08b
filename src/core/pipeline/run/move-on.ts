import type { CallResult, WaitingFor } from '../../kernel/call.ts'
import type { EventPayloads } from '../../events/event.ts'
import { retryStore } from './retry-store.ts'
import { mayRunAgain } from '../record/call-facts.ts'
import { toWorkOrder } from '../record/work-order.ts'
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
/** How often a call is read again whose steps another node has made in the meantime. */
const raceRetries = 3

/**
 * True if a run that ended this way may need more than settling. Most don't, and must not wait to
 * find out.
 */
export function mayMoveOn(
  { steps }: Pick<PreparedCall, 'steps'>,
  { isSuspended, isHandedOver, error }: FinishedCall,
  { queued }: RunRecord,
): boolean {
  if (queued !== undefined || isSuspended === true || isHandedOver === true) return true
  return steps !== undefined && error?.code === 'interrupted'
}

/** Records the end of a run, by this clock. */
interface Ending {
  record: RunRecord
  now(): number
  /** The queue exists once it resolves. */
  prepare(queue: string): Promise<void>
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
  if (finished.isSuspended) return suspend(call, ending)
  if (finished.isHandedOver) {
    const deadlineAt = Date.parse(call.context.completion?.expiresAt ?? '') || undefined
    return wait(call, ending, { waitingFor: 'external', deadlineAt })
  }
  return putBack(call, finished, ending)
}

/** A resumable call continues when one of its steps has settled, others when all calls have. */
async function suspend(call: PreparedCall, ending: Ending): Promise<CallResult | undefined> {
  const { steps, facts } = call
  if (steps === undefined) return wait(call, ending, { waitingFor: 'call' })
  const { againInMs, wakeAt } = steps
  const { deadlineAt } = facts
  if (againInMs === undefined) return wait(call, ending, { waitingFor: 'call', deadlineAt, wakeAt })
  return requeue(call, ending, {
    startAt: ending.now() + againInMs,
    isFailure: false,
    data: { reason: 'A step could not be made yet' },
  })
}

/**
 * If the record refuses, the call was settled in the meantime, perhaps by a fast external worker.
 */
async function wait(
  call: PreparedCall,
  { record: { writer, queued }, now }: Ending,
  to: { waitingFor: WaitingFor; deadlineAt?: number | undefined; wakeAt?: number },
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
 * A stop must not be worse than a crash: work that may be run again goes back to the queue. So does
 * a failure that is worth a retry, with increasing delay.
 */
async function putBack(
  call: PreparedCall,
  { error }: FinishedCall,
  ending: Ending,
): Promise<CallResult | undefined> {
  const { facts, steps } = call
  const { queued } = ending.record
  if (error === undefined || !mayRunAgain(facts)) return undefined
  if (error.code === 'interrupted') {
    if (queued === undefined && steps === undefined) return undefined
    return requeue(call, ending, { isFailure: false, data: { reason: 'The server stopped' } })
  }
  if (queued === undefined) return undefined
  const { failures } = queued
  // Another node may have been at it at the same time: its steps are all on record by now.
  const isRace = error.code === 'replay_diverged' && failures < raceRetries
  if (!isRace && !(error.retryable && failures < facts.contract.retries)) return undefined
  return requeue(call, ending, {
    startAt: ending.now() + retryDelayMs(failures),
    isFailure: true,
    data: { reason: error.message, code: error.code, retry: failures + 1 },
  })
}

/** Undefined if the call has changed in the meantime, or can't be stored. */
async function requeue(
  call: PreparedCall,
  { record: { writer, queued }, now, prepare }: Ending,
  to: { startAt?: number; isFailure: boolean; data: EventPayloads['call.queued'] },
): Promise<CallResult | undefined> {
  const { callId, contract } = call.facts
  const order = queued?.work ?? toWorkOrder(contract, {})
  const work = { ...order, startAt: to.startAt }
  const put = async () => {
    if (queued === undefined) await prepare(work.queue)
    return writer.requeue({
      attempt: queued?.attempt ?? 1,
      work,
      isFailure: to.isFailure,
      events: [{ type: 'call.queued', at: now(), data: { ...to.data, ...costSoFar(call) } }],
    })
  }
  const isBack = await put().catch(() => false)
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
