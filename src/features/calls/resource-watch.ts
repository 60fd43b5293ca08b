import type { CribEvent, EventType } from '../../core/events/event.ts'
import type { EventFeed } from '../../core/events/event-feed.ts'
import type { EventLog } from '../../core/events/event-log.ts'

/** Tells of single calls whenever they stand otherwise than before, on whatever node that happens. */
export interface CallChanges {
  /** Resolves when nothing can be missed any more, with the way to stop. */
  watch(tenant: string, callId: string, listener: () => void): Promise<() => void>
}

const tellingTypes: readonly EventType[] = [
  'call.queued',
  'call.started',
  'call.waiting',
  'call.completed',
  'call.failed',
  'call.denied',
  'call.cancelled',
]
const waitMs = 60_000
/** After a look that failed: a database that is away is not asked without a break. */
const restMs = 1000
const pageSize = 200

interface Watched {
  readonly listeners: Map<string, Set<() => void>>
  readonly ready: Promise<void>
  close(): void
}

/** One follower of the event log per tenant, for as long as somebody wants to know of one of its calls. */
export function createCallWatch(events: Pick<EventLog, 'end'>, feed: EventFeed): CallChanges {
  const tenants = new Map<string, Watched>()

  function open(tenant: string): Watched {
    const listeners = new Map<string, Set<() => void>>()
    const leaving = new AbortController()
    const start = events.end(tenant)
    const tell = ({ callId = '' }: CribEvent) => listeners.get(callId)?.forEach((one) => one())
    const opened: Watched = {
      listeners,
      ready: start.then(() => undefined),
      close() {
        leaving.abort()
        if (tenants.get(tenant) === opened) tenants.delete(tenant)
      },
    }
    tenants.set(tenant, opened)
    start.then(
      (after) => follow(feed, { tenant, after, signal: leaving.signal }, tell),
      // Whoever waits for it is told; the next one begins anew.
      () => opened.close(),
    )
    return opened
  }

  return {
    async watch(tenant, callId, listener) {
      const watched = tenants.get(tenant) ?? open(tenant)
      const { listeners } = watched
      const own = () => listener()
      listeners.set(callId, (listeners.get(callId) ?? new Set()).add(own))
      const stop = () => {
        const others = listeners.get(callId)
        others?.delete(own)
        if (others?.size === 0) listeners.delete(callId)
        if (listeners.size === 0) watched.close()
      }
      try {
        await watched.ready
      } catch (error) {
        stop()
        throw error
      }
      return stop
    },
  }
}

/** Until it is aborted, whatever fails on the way: what came meanwhile is told late, and not lost. */
async function follow(
  feed: EventFeed,
  from: { tenant: string; after: string; signal: AbortSignal },
  tell: (event: CribEvent) => void,
): Promise<void> {
  const { tenant, signal } = from
  let { after } = from
  const take = (event: CribEvent) => {
    after = event.id
    tell(event)
  }
  while (!signal.aborted) {
    const follower = feed.follow(tenant, { after, types: tellingTypes, limit: pageSize })
    const leave = () => follower.close()
    signal.addEventListener('abort', leave, { once: true })
    try {
      while (!signal.aborted) (await follower.next(waitMs)).forEach(take)
    } catch {
      await new Promise<void>((resolve) => void setTimeout(resolve, restMs).unref())
    } finally {
      signal.removeEventListener('abort', leave)
      follower.close()
    }
  }
}
