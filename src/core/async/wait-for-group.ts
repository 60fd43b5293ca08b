import { ToolError } from '../kernel/errors.ts'
import type { GroupStore } from './group-store.ts'
import type { EventLog } from '../events/event-log.ts'
import type { GroupRecord } from './group.ts'
import type { GroupResults } from './continuation.ts'
import { finishGroup } from './finish-group.ts'
import { groupNotFound } from './group-errors.ts'
import { keepLease } from './group-lease.ts'

export interface GroupWaiting {
  store: GroupStore
  events: Pick<EventLog, 'watch'>
  leaseMs: number
  deadlineMs: number
  signal?: AbortSignal
  seal(tenant: string, groupId: string): Promise<GroupRecord>
  /** Ends the members that have not settled. */
  fail(): Promise<void>
  readResults(group: GroupRecord): Promise<GroupResults>
}

/** A signal may be missed; polling notices it this late. */
const lookAgainMs = 1000

/**
 * Leases the group before sealing it, so that no other node can continue it in between, and keeps
 * the lease until the group has settled, was read and is marked as continued. Rejects if another
 * node has continued it, and leaves it to other nodes when it cannot continue here.
 */
export async function waitForGroup(
  { tenant, groupId }: Pick<GroupRecord, 'tenant' | 'groupId'>,
  options: GroupWaiting,
): Promise<GroupResults> {
  const { store } = options
  const askedAt = performance.now()
  const held = await store.hold(tenant, groupId, options.leaseMs)
  if (held === undefined) throw await whyNotHeld(tenant, groupId, store)
  const { attempt } = held
  const lease = keepLease({ tenant, groupId, attempt }, { ...options, askedAt })
  try {
    await options.seal(tenant, groupId)
    const group = await untilSettled({ tenant, groupId }, { ...options, signal: lease.signal })
    const results = await options.readResults(group)
    const finishing = { store, signal: lease.signal }
    if (await finishGroup({ tenant, groupId, attempt }, finishing)) return results
    throw elsewhere(groupId)
  } catch (error) {
    // Ends the lease at once, so that other nodes need not wait for it to expire.
    await store.keep(tenant, groupId, { attempt, ms: 0 }).catch(() => false)
    throw error
  } finally {
    lease.stop()
  }
}

async function untilSettled(
  { tenant, groupId }: Pick<GroupRecord, 'tenant' | 'groupId'>,
  options: GroupWaiting & { signal: AbortSignal },
): Promise<GroupRecord> {
  const deadlineAt = performance.now() + options.deadlineMs
  while (true) {
    const news = nextNews(
      options,
      Math.min(lookAgainMs, Math.max(0, deadlineAt - performance.now())),
    )
    try {
      const group = await options.store.find(tenant, groupId)
      if (group === undefined) throw groupNotFound(groupId)
      if (group.settledAt !== undefined) return group
      if (options.signal.aborted) throw elsewhere(groupId)
      if (performance.now() >= deadlineAt) await options.fail()
      else await news.promise
    } finally {
      news.stop()
    }
  }
}

/** Subscribes before reading, so that no change is missed in between. */
function nextNews(
  { events, signal }: Pick<GroupWaiting, 'events'> & { signal: AbortSignal },
  withinMs: number,
): { promise: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs)
  const unwatch = events.watch(resolve)
  const done = () => resolve()
  signal.addEventListener('abort', done, { once: true })
  return {
    promise,
    stop() {
      clearTimeout(timer)
      unwatch()
      signal.removeEventListener('abort', done)
    },
  }
}

async function whyNotHeld(tenant: string, groupId: string, store: GroupStore): Promise<ToolError> {
  const group = await store.find(tenant, groupId)
  return group === undefined ? groupNotFound(groupId) : elsewhere(groupId)
}

function elsewhere(groupId: string): ToolError {
  return new ToolError('interrupted', `${groupId} is continued elsewhere`, { retryable: false })
}
