import type { CallResult, WaitingFor } from '../../kernel/call.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import { retryStore } from './retry-store.ts'
import { isRepeatable } from '../record/call-facts.ts'
import type { FinishedOutput } from '../output/finish-output.ts'
import type { PreparedCall } from '../context/prepare-call.ts'
import type { RunRecord } from '../record/run-record.ts'

/** The end of a run, which need not be the end of the call. */
export interface FinishedRun extends FinishedOutput {
  /** Stopped to wait for a call it made. */
  isSuspended?: boolean
  /** Somebody outside has the work now. */
  isHandedOver?: boolean
}

const firstRetryMs = 1000
const longestRetryMs = 300_000
/** What was handed to somebody outside is not given up for a database that is away for some seconds. */
const longestDelayMs = 3200

/** Can a run that ended so have anything else to do than to be settled? Most can't, and need not wait to learn it. */
export function mayMoveOn(
  { isSuspended, isHandedOver }: FinishedRun,
  { queued }: RunRecord,
): boolean {
  return queued !== undefined || isSuspended === true || isHandedOver === true
}

/** Where the end of a run is recorded, and by which clock. */
interface Ending {
  record: RunRecord
  now(): number
}

/**
 * Where a call goes whose run has ended without ending the call: to wait in storage, or back to the
 * queue. Undefined when it is to be settled.
 */
export async function moveOn(
  call: PreparedCall,
  finished: FinishedRun,
  ending: Ending,
): Promise<CallResult | undefined> {
  if (finished.isSuspended) return wait(call, ending, { waitingFor: 'call' })
  if (finished.isHandedOver) {
    const deadlineAt = Date.parse(call.context.completion?.expiresAt ?? '') || undefined
    return wait(call, ending, { waitingFor: 'external', deadlineAt })
  }
  return putBack(call, finished, ending)
}

/** Where the record refuses, somebody has settled the call meanwhile: the worker outside may have been quicker. */
async function wait(
  call: PreparedCall,
  { record: { writer, queued }, now }: Ending,
  to: { waitingFor: WaitingFor; deadlineAt?: number },
): Promise<CallResult | undefined> {
  const { callId } = call.facts
  const data: Record<string, JsonValue> = { for: to.waitingFor, ...costSoFar(call) }
  if (to.deadlineAt !== undefined) data['until'] = new Date(to.deadlineAt).toISOString()
  const from = {
    ...to,
    attempt: queued?.attempt ?? 1,
    events: [{ type: 'call.waiting' as const, at: now(), data }],
  }
  await retryStore(() => writer.wait(from), longestDelayMs)
  return { callId, status: 'waiting', waitingFor: to.waitingFor }
}

/**
 * A stop must not be worse than a crash: background work that may be repeated goes back to the
 * queue. What failed in a way that is worth another try does, too, later each time.
 */
async function putBack(
  call: PreparedCall,
  { error }: FinishedRun,
  { record: { writer, queued }, now }: Ending,
): Promise<CallResult | undefined> {
  const { contract, callId } = call.facts
  if (error === undefined || queued === undefined || !isRepeatable(contract)) return undefined
  const isStop = error.code === 'interrupted'
  const mayRetry = error.retryable && queued.failures < contract.retries
  if (!isStop && !mayRetry) return undefined
  const startAt = isStop ? undefined : now() + retryDelayMs(queued.failures)
  const why: Record<string, JsonValue> = isStop
    ? { reason: 'The server stopped' }
    : { reason: error.message, code: error.code, retry: queued.failures + 1 }
  const data: JsonValue = { ...why, ...costSoFar(call) }
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

/** What the run that ends here has cost; the next one begins at nothing. */
function costSoFar({ spending }: PreparedCall): { cost?: number } {
  return spending.units > 0 ? { cost: spending.units } : {}
}

/** Doubles from a second to five minutes, with jitter so that many do not come back together. */
function retryDelayMs(failures: number): number {
  const longest = Math.min(longestRetryMs, firstRetryMs * 2 ** failures)
  return longest / 2 + (Math.random() * longest) / 2
}
