import type { EventLog, EventPage, EventQuery } from './event-log.ts'
import type { CribEvent } from './event.ts'
import type { EventTail } from './event-tail.ts'
import type { TailPage } from './tail-pages.ts'

/** A page read by the follower itself, and the position of the tail before it was read. */
export interface OwnPage {
  page: EventPage
  head: string
}

/** The position of one follower. */
export interface EventPlace {
  /** Where the follower's next page begins; undefined at the start of the log. */
  readonly cursor: string | undefined
  /** True if the tail holds all the next events. */
  isInTail(): boolean
  /** From the tail: the next matching events, none at its head. */
  take(): readonly CribEvent[]
  /** The events of a page that the follower read from the cursor. */
  takeOwn(own: OwnPage): readonly CribEvent[]
}

/**
 * A cursor: all matching events before it have been delivered, none after it. A page read by the
 * follower moves the cursor to the page's end; the last such page also moves it to the tail's
 * position before the page was read, because the page includes everything the tail had read by
 * then. A page of the tail holds everything between its two ends, so a cursor inside it marks the
 * part still to be delivered. So no event is delivered twice or left out, in any mix of pages.
 */
export function createEventPlace(
  { pages }: Pick<EventTail, 'pages'>,
  query: EventQuery,
  compare: EventLog['compare'],
): EventPlace {
  const fits = toFilter(query)
  let cursor = query.after
  return {
    get cursor() {
      return cursor
    },
    isInTail: () => cursor !== undefined && pages.covers(cursor),
    take() {
      for (;;) {
        const after = cursor
        const page = after === undefined ? undefined : pages.pageAfter(after)
        if (after === undefined || page === undefined) return []
        cursor = page.next
        const fitting = viewOf(page, query, fits)
        const isWhole = after === page.from
        const items = isWhole ? fitting : fitting.filter(({ id }) => compare(id, after) > 0)
        if (items.length > 0) return items
      }
    },
    takeOwn({ page, head }) {
      cursor = page.hasMore || compare(page.next, head) > 0 ? page.next : head
      return page.items
    },
  }
}

type Filter = (event: CribEvent) => boolean

function toFilter({ types, callId, sessionId }: EventQuery): Filter {
  const wanted = types !== undefined && types.length > 0 ? new Set(types) : undefined
  return (event) =>
    (wanted === undefined || wanted.has(event.type)) &&
    (callId === undefined || event.callId === callId) &&
    (sessionId === undefined || event.sessionId === sessionId)
}

/** Lists shared by several followers; they live as long as their page. */
const views = new WeakMap<TailPage, Map<string, readonly CribEvent[]>>()

/**
 * The matching events of a page. Filters by type are few and shared; those by call or session
 * differ per follower.
 */
function viewOf(page: TailPage, query: EventQuery, fits: Filter): readonly CribEvent[] {
  if (query.callId !== undefined || query.sessionId !== undefined) return page.items.filter(fits)
  if (query.types === undefined || query.types.length === 0) return page.items
  const known = views.get(page) ?? new Map<string, readonly CribEvent[]>()
  views.set(page, known)
  const key = query.types.join(' ')
  const view = known.get(key) ?? page.items.filter(fits)
  known.set(key, view)
  return view
}
