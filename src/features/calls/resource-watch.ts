import type { CribEvent, EventType } from '../../core/events/event.ts'
import type { EventFeed } from '../../core/events/event-feed.ts'
import type { EventLog } from '../../core/events/event-log.ts'

/** Notifies listeners when the status of a call changes, on any node. */
export interface CallChanges {
  /** Resolves with a function that stops watching, once no later change can be missed. */
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
/** The pause after a failed read, so that an unreachable database is not polled in a tight loop. */
const restMs = 1000
const pageSize = 200

interface Watched {
  readonly listeners: Map<string, Set<() => void>>
  readonly ready: Promise<void>
  close(): void
}

/** One follower of the event log per tenant, as long as one of its calls is watched. */
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
      // Those who wait for `ready` get the error; the next watcher opens another follower.
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

/** Until it is aborted. After an error it resumes where it stopped, so changes arrive late but are not lost. */
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
