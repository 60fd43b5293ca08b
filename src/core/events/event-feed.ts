import type { EventLog, EventQuery } from './event-log.ts'
import { createEventFollower, type EventFollower } from './event-follower.ts'
import type { OwnPage } from './event-place.ts'
import { createEventTail, type EventTail } from './event-tail.ts'
import { createReplayGate } from './replay-gate.ts'

/** Hands every event to every follower, reading the end of a log once however many follow it. */
export interface EventFeed {
  /** Follows from `query.after`, the beginning where there is none. */
  follow(tenant: string, query: EventQuery): EventFollower
}

/** Unless said otherwise: what the tails of all tenants hold together; of events and, in doors, of their bytes as well. */
const normalTailBytes = 16 * 1_048_576

/**
 * One tail per tenant that somebody follows. A follower keeps a cursor and nothing else: where the
 * tail holds what comes after it, it is served from there, else it reads the store itself until it
 * has caught up. A slow one thus costs no memory; it falls off the tail and pages on.
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
    // A tail that has no place to begin at is of no use to who comes later.
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

/** So many pages that were read are kept for those who come to the same place a moment later. */
const keptPages = 32

/**
 * A thousand readers that come back after a restart ask for the same pages: who asks while the same
 * is being read, or a moment later, gets the same answer, with the head of the tail as it was when
 * that reading began. Kept are only pages that have another one behind them: nothing is ever added
 * to such a stretch of the log. What one call does may be read before it is decided, so that is not.
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
