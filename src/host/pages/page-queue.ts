import type { ReadablePage } from '../../core/kernel/context/pages.ts'
import type { PageOrder } from './page-worker.ts'

/** A page that waits to be converted. */
export interface PageJob {
  order: PageOrder
  signal: AbortSignal | undefined
  settle: PromiseWithResolvers<ReadablePage>
}

/** Jobs in the order of their tenants' turns. */
export interface PageQueue {
  readonly isEmpty: boolean
  add(tenant: string, job: PageJob): void
  /** The next job whose call has not ended. */
  take(): PageJob | undefined
  clear(): void
}

export function createPageQueue(): PageQueue {
  /** The tenant that has waited longest for its turn comes first. */
  const waiting = new Map<string, PageJob[]>()
  return {
    get isEmpty() {
      return waiting.size === 0
    },
    add(tenant, job) {
      const jobs = waiting.get(tenant)
      if (jobs === undefined) waiting.set(tenant, [job])
      else jobs.push(job)
    },
    take() {
      // A tenant whose turn it was goes to the end, which this loop reaches as well.
      for (const [tenant, jobs] of waiting) {
        const job = jobs.shift()
        waiting.delete(tenant)
        if (jobs.length > 0) waiting.set(tenant, jobs)
        if (job !== undefined && job.signal?.aborted !== true) return job
      }
      return undefined
    },
    clear: () => waiting.clear(),
  }
}
