import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './faults.ts'

/** Ends every fault that still lasts, and waits until all nodes answer. */
export async function heal({ nodes }: Pick<Fleet, 'nodes'>): Promise<void> {
  for (const node of nodes) {
    node.resume()
    node.proxy.thaw()
    node.proxy.restore()
  }
  await Promise.all(nodes.map((node) => node.whenUp()))
}

/**
 * Waits until nothing is queued, running or about to be continued any more. Whatever is not over by the
 * deadline is left for the checker to find. Gives the time it took.
 */
export async function awaitQuiet({ postgres }: Fleet, deadlineMs: number): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < deadlineMs) {
    const [row] = await postgres.query<{ busy: number }>(
      `select ((select count(*) from toolcrib.calls where status in ('queued', 'running'))
        + (select count(*) from toolcrib.groups
          where continued_ms is null and (settled_ms is not null or deadline_ms is not null))
        + (select count(*) from toolcrib.schedule_runs where finished_ms is null))::int as busy`,
    )
    if (row?.busy === 0) break
    await sleep(200)
  }
  return Math.round(performance.now() - startedAt)
}
