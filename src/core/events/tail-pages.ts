import type { EventLog, EventPage } from './event-log.ts'
import type { CribEvent } from './event.ts'

/** A stretch of the log: all events of the tenant after `from`, up to and including `next`. */
export interface TailPage {
  readonly from: string
  readonly next: string
  readonly items: readonly CribEvent[]
}

/** The last stretches of a log, without a gap between them. */
export interface TailPages {
  /** Everything up to here has been read. */
  readonly head: string
  /** Forgets everything and goes on from here. */
  begin(cursor: string): void
  /** Adds what follows the head; false when that is nothing. */
  append(page: EventPage): boolean
  /** Is all that comes after this cursor here? */
  covers(cursor: string): boolean
  /** The first stretch that ends after a cursor which is covered; undefined at the head. */
  pageAfter(cursor: string): TailPage | undefined
}

/** What an event weighs beside its data. */
const ownBytes = 400

/** Holds stretches up to `maxBytes()`; the newest always, for those who wait for it have not had it yet. */
export function createTailPages(compare: EventLog['compare'], maxBytes: () => number): TailPages {
  let pages: (TailPage & { bytes: number })[] = []
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
      return true
    },
    covers: (cursor) => cursor === head || compare(cursor, start) >= 0,
    pageAfter(cursor) {
      if (cursor === head) return undefined
      // Nearly everybody stands at the beginning of a stretch, and of the last one.
      return (
        pages.findLast(({ from }) => from === cursor) ??
        pages.find(({ next }) => compare(next, cursor) > 0)
      )
    },
  }
}

function weigh(items: readonly CribEvent[]): number {
  return items.reduce((sum, { data }) => sum + ownBytes + (JSON.stringify(data)?.length ?? 0), 0)
}
