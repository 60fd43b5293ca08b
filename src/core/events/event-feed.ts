import type { EventLog, EventQuery } from './event-log.ts'
import { createEventFollower, type EventFollower } from './event-follower.ts'
import type { OwnPage } from './event-place.ts'
import { createEventTail, type EventTail } from './event-tail.ts'
import { createReplayGate } from './replay-gate.ts'

/** Delivers every event to every follower, reading the end of a log once for all followers. */
export interface EventFeed {
  /** Follows from `query.after`, or from the start without it. */
  follow(tenant: string, query: EventQuery): EventFollower
}

/**
 * The default size of the tails of all tenants together: of their events and, in doors, of their
 * bytes as well.
 */
const normalTailBytes = 16 * 1_048_576

/**
 * One tail per followed tenant. A follower keeps only a cursor: if the tail holds the events after
 * it, they come from there; otherwise the follower reads the store itself until it has caught up.
 * So a slow follower costs no memory; it falls off the tail and reads pages.
 */
export function createEventFeed(
  events: Pick<EventLog, 'read' | 'end' | 'watch' | 'compare'>,
  maxTailBytes = normalTailBytes,
): EventFeed {
  const tails = new Map<string, SharedTail>()
  const gate = createReplayGate()

  function open(tenant: string): SharedTail {
    const tail = createEventTail(events, tenant, () => maxTailBytes / Math.max(1, tails.size))
    const read = shareReads((query) =>
      gate.read(tenant, async () => {
        const { head } = tail.pages
        return { head, page: await events.read(tenant, query) }
      }),
    )
    const opened = { tail, read, followers: 0 }
    tails.set(tenant, opened)
    // A tail without a start position is of no use to later followers.
    tail.ready.catch(() => forget(tenant, opened))
    return opened
  }

  function forget(tenant: string, { tail }: SharedTail): void {
    tail.close()
    if (tails.get(tenant)?.tail === tail) tails.delete(tenant)
  }

  return {
    follow(tenant, query) {
      const joined = tails.get(tenant) ?? open(tenant)
      joined.followers += 1
      return createEventFollower({
        tail: joined.tail,
        query,
        compare: events.compare,
        read: joined.read,
        turn: gate.turn,
        onClose() {
          joined.followers -= 1
          if (joined.followers === 0) forget(tenant, joined)
        },
      })
    },
  }
}

type Read = (query: EventQuery) => Promise<OwnPage>

interface SharedTail {
  readonly tail: EventTail
  readonly read: Read
  followers: number
}

/** How many pages are kept for followers that reach the same position a moment later. */
const keptPages = 32

/**
 * A thousand readers that reconnect after a restart request the same pages: a request made while
 * the same page is being read, or a moment later, gets the same answer, with the head of the tail
 * as it was when that read started. Only pages followed by another page are kept: nothing is ever
 * added to such a stretch of the log. The events of a call may be read before they are final, so
 * those pages are not kept.
 */
function shareReads(read: Read): Read {
  const underWay = new Map<string, Promise<OwnPage>>()
  const kept = new Map<string, OwnPage>()
  async function readAndKeep(key: string, query: EventQuery): Promise<OwnPage> {
    try {
      const own = await read(query)
      if (own.page.hasMore && query.callId === undefined) kept.set(key, own)
      if (kept.size > keptPages) kept.delete(kept.keys().next().value ?? '')
      return own
    } finally {
      underWay.delete(key)
    }
  }
  return (query) => {
    const key = JSON.stringify(query)
    const known = kept.get(key) ?? underWay.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const reading = readAndKeep(key, query)
    underWay.set(key, reading)
    return reading
  }
}
