import { ToolError } from '../core/kernel/errors.ts'
import { defaultQueue } from '../core/pipeline/record/work-order.ts'
import type { Job, WorkOrder } from '../core/work-ports.ts'

export type NewJob = WorkOrder & Pick<Job, 'tenant' | 'callId'>

export function toInsert(job: NewJob) {
  const { tenant, queue, priority, startAt } = job
  return {
    id: toJobId(job),
    data: { tenant },
    priority,
    // Within the queue of one tool the limit is the tool's, elsewhere the tenant's.
    group: { id: queue === defaultQueue ? tenant : queue },
    ...(startAt !== undefined && { startAfter: new Date(startAt).toISOString() }),
  }
}

/** A call has one job at a time, so they share their id. */
export function toJobId({ callId }: Pick<Job, 'callId'>): string {
  const hex = /^call_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    callId,
  )
  if (hex === null) throw new ToolError('internal', `${callId} is not the id of a call`)
  return hex.slice(1).join('-')
}

export function toAttempt(job: Job): { id: string; retryCount: number } {
  return { id: toJobId(job), retryCount: job.lease }
}

export function byQueue<T extends { queue: string }>(jobs: readonly T[]): Map<string, T[]> {
  return Map.groupBy(jobs, ({ queue }) => queue)
}
