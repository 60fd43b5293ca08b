import type { EventLog, EventPage, EventQuery } from './event-log.ts'
import type { CribEvent } from './event.ts'
import type { EventTail } from './event-tail.ts'
import type { TailPage } from './tail-pages.ts'

/** A page of a reader's own, and how far the tail had come before it was read. */
export interface OwnPage {
  page: EventPage
  head: string
}

/** How far one follower has come. */
export interface EventPlace {
  /** Where the next page of its own begins; undefined at the beginning of the log. */
  readonly cursor: string | undefined
  /** Does the tail hold everything that comes next? */
  isInTail(): boolean
  /** From the tail: the next events that fit, none at its head. */
  take(): readonly CribEvent[]
  /** The events of a page of its own, which began at the cursor. */
  takeOwn(own: OwnPage): readonly CribEvent[]
}

/**
 * A cursor: all events that fit up to it have been given, none after it has. A page of the reader's
 * own moves it to the page's end; the last one also to where the tail was before the page was read,
 * for all that the tail had read by then was there to be found. A page of the tail holds everything
 * between its two ends, so a cursor within says which part of it is still to be given. So no event
 * is given twice or left out, whichever way comes next.
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

/** Lists that several followers are given; they live as long as their page does. */
const views = new WeakMap<TailPage, Map<string, readonly CribEvent[]>>()

/** What fits of a page. Filters by type are few and the same for many; those by call or session are everybody's own. */
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
