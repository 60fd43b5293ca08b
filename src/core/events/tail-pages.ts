import type { EventLog, EventPage } from './event-log.ts'
import type { CribEvent } from './event.ts'

/** A stretch of the log: all events of the tenant after `from`, up to and including `next`. */
export interface TailPage {
  readonly from: string
  readonly next: string
  readonly items: readonly CribEvent[]
}

/** The last stretches of a log, without gaps between them. */
export interface TailPages {
  /** Everything up to here has been read. */
  readonly head: string
  /** Forgets everything and continues from here. */
  begin(cursor: string): void
  /** Adds the page after the head; false when it is empty. */
  append(page: EventPage): boolean
  /** True if all events after this cursor are here. */
  covers(cursor: string): boolean
  /** The first page that ends after a covered cursor; undefined at the head. */
  pageAfter(cursor: string): TailPage | undefined
}

/** The size of an event besides its data. */
const ownBytes = 400

/** The newest pages are not joined: close followers are positioned between them. */
const newestPages = 64
/** Older pages are joined up to this size: a follower catching up takes one at a time. */
const joinedEvents = 200
const joinedBytes = 131_072

/**
 * Holds pages up to `maxBytes()`; always the newest, because waiting followers have not received it
 * yet.
 */
export function createTailPages(compare: EventLog['compare'], maxBytes: () => number): TailPages {
  let pages: HeldPage[] = []
  let start = ''
  let head = ''
  let bytes = 0

  function dropOldest(): void {
    const oldest = pages.shift()
    bytes -= oldest?.bytes ?? 0
    start = oldest?.next ?? start
  }

  return {
    get head() {
      return head
    },
    begin(cursor) {
      pages = []
      bytes = 0
      start = cursor
      head = cursor
    },
    append({ items, next }) {
      if (next === head) return false
      const page = { from: head, next, items, bytes: weigh(items) }
      pages.push(page)
      bytes += page.bytes
      head = next
      while (bytes > maxBytes() && pages.length > 1) dropOldest()
      joinOlder(pages)
      return true
    },
    covers: (cursor) => cursor === head || compare(cursor, start) >= 0,
    pageAfter(cursor) {
      if (cursor === head) return undefined
      // Nearly every follower is at the start of the last page.
      const last = pages.at(-1)
      return last?.from === cursor ? last : findAfter(pages, cursor, compare)
    },
  }
}

type HeldPage = TailPage & { bytes: number }

/**
 * When events arrive one by one, each is a page. Once they are no longer the newest, thousands of
 * them are joined into a few, because a follower catching up takes one step per page.
 */
function joinOlder(pages: HeldPage[]): void {
  const index = pages.length - newestPages
  const [earlier, later] = [pages[index - 1], pages[index]]
  if (earlier === undefined || later === undefined) return
  const items = earlier.items.length + later.items.length
  const bytes = earlier.bytes + later.bytes
  if (items > joinedEvents || bytes > joinedBytes) return
  const joined = [...earlier.items, ...later.items]
  pages.splice(index - 1, 2, { from: earlier.from, next: later.next, items: joined, bytes })
}

/** Binary search: pages are in the order of the log. */
function findAfter(
  pages: readonly HeldPage[],
  cursor: string,
  compare: EventLog['compare'],
): HeldPage | undefined {
  let low = 0
  let high = pages.length
  while (low < high) {
    const middle = (low + high) >> 1
    const page = pages[middle]
    if (page !== undefined && compare(page.next, cursor) > 0) high = middle
    else low = middle + 1
  }
  return pages[low]
}

function weigh(items: readonly CribEvent[]): number {
  return items.reduce((sum, { data }) => sum + ownBytes + (JSON.stringify(data)?.length ?? 0), 0)
}
