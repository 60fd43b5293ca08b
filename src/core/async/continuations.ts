import type { GroupStore } from './group-store.ts'
import type { GroupRecord } from './group.ts'
import type { Continue, GroupResults } from './continuation.ts'
import { finishGroup } from './finish-group.ts'
import { keepLease } from './group-lease.ts'

export interface ContinuationsOptions {
  store: GroupStore
  leaseMs: number
  wake(): void
  readResults(group: GroupRecord): Promise<GroupResults>
  onWarning(message: string): void
}

const maxAtOnce = 32
const announceAtOnce = 100
const firstRetryMs = 1000
const longestRetryMs = 300_000
/** How long a stopping node waits for continuations that it has aborted. */
const closeMs = 5000

/** Runs the continuations of this node: claims groups while it has capacity, each under a lease. */
export function createContinuations(options: ContinuationsOptions) {
  const { store, leaseMs } = options
  const kinds = new Map<string, Continue>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  function track(group: GroupRecord, askedAt: number): void {
    const run = kinds.get(group.continuation.kind)
    const how = { ...options, askedAt, stopping: stopping.signal }
    const running = runOne(group, run, how).finally(() => {
      underWay.delete(running)
      options.wake()
    })
    underWay.add(running)
  }
  return {
    register(kind: string, run: Continue): () => void {
      kinds.set(kind, run)
      options.wake()
      return () => {
        if (kinds.get(kind) === run) kinds.delete(kind)
      }
    },
    async sweep(): Promise<number> {
      await store.announceSettled(announceAtOnce)
      const limit = maxAtOnce - underWay.size
      if (kinds.size === 0 || limit <= 0 || stopping.signal.aborted) return 0
      const askedAt = performance.now()
      const groups = await store.claim({ kinds: [...kinds.keys()], leaseMs, limit })
      for (const group of groups) track(group, askedAt)
      return groups.length
    },
    async close(): Promise<void> {
      stopping.abort()
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, closeMs)
      await Promise.race([Promise.allSettled(underWay), late.promise])
      clearTimeout(timer)
    },
  }
}

type RunOptions = ContinuationsOptions & { askedAt: number; stopping: AbortSignal }

/** One attempt. Never rejects: after an error it is retried later, by any node. */
async function runOne(
  group: GroupRecord,
  run: Continue | undefined,
  options: RunOptions,
): Promise<void> {
  const { tenant, groupId, attempt, continuation } = group
  const { store, stopping } = options
  const lease = keepLease(group, { ...options, signal: stopping })
  const release = (ms: number) => store.keep(tenant, groupId, { attempt, ms }).catch(() => false)
  try {
    // Its kind was unregistered while the group was on its way here: other nodes may have it.
    if (run === undefined) return void (await release(0))
    const results = await options.readResults(group)
    // Another node has the group, or this node stops: nothing has started, so others may continue
    // it.
    if (!(await lease.confirm())) return void (await release(0))
    const { data } = continuation
    await run({ tenant, groupId, data, attempt, signal: lease.signal, ...results })
    await finishGroup(group, { store, signal: lease.signal })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    options.onWarning(`${groupId} could not be continued (attempt ${attempt}): ${reason}`)
    // A stopping node releases it at once.
    await release(stopping.aborted ? 0 : retryDelayMs(attempt))
  } finally {
    lease.stop()
  }
}

/** Doubles from a second to five minutes, with jitter so that retries spread out. */
function retryDelayMs(attempt: number): number {
  const longest = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(20, attempt - 1))
  return Math.round(longest / 2 + (Math.random() * longest) / 2)
}
