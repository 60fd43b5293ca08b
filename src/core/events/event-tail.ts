import type { EventLog } from './event-log.ts'
import { createTailPages, type TailPages } from './tail-pages.ts'

/** A follower waiting at the end of the tail. */
export interface TailListener {
  onPage(): void
  onError(error: unknown): void
}

/** The newest events of a tenant, read once for all followers. */
export interface EventTail {
  readonly pages: Omit<TailPages, 'begin' | 'append'>
  /** Resolves when there is a position to follow from. */
  readonly ready: Promise<void>
  /**
   * Called with new events, or at once if the last read failed. Returns a function that
   * unsubscribes.
   */
  listen(listener: TailListener): () => void
  close(): void
}

/**
 * One read of the tail; it is kept for as long as a follower may need it, so it must not be too
 * large.
 */
const pageSize = 500
const pageBytes = 262_144
/** Events that a failed read missed may never be signalled again. */
const retryMs = 1_000

/**
 * Follows a tenant's log from its end. It reads when the store signals, one read at a time, and
 * keeps up to `maxBytes()`: followers that need older pages read them themselves.
 */
export function createEventTail(
  events: Pick<EventLog, 'read' | 'end' | 'watch' | 'compare'>,
  tenant: string,
  maxBytes: () => number,
): EventTail {
  const pages = createTailPages(events.compare, maxBytes)
  const listeners = new Set<TailListener>()
  const closed = new AbortController()
  let failure: { error: unknown } | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const look = createLook(readOn)
  // Watches before the end is looked up, so that nothing is missed in between.
  const unwatch = events.watch(look)
  const ready = begin()

  async function begin(): Promise<void> {
    pages.begin(await events.end(tenant))
  }

  async function readOn(): Promise<void> {
    try {
      await ready
      while (!closed.signal.aborted && (await readPage()));
    } catch (error) {
      // Waiting followers get the error, and continue from their own cursor when they return.
      failure = { error }
      for (const listener of listeners) listener.onError(error)
      clearTimeout(retry)
      if (!closed.signal.aborted) retry = setTimeout(look, retryMs)
    }
  }

  /** True when there is more. */
  async function readPage(): Promise<boolean> {
    const asked = { after: pages.head, limit: pageSize, maxBytes: pageBytes }
    const page = await events.read(tenant, asked)
    failure = undefined
    if (pages.append(page)) for (const listener of listeners) listener.onPage()
    return page.hasMore
  }

  return {
    pages,
    ready,
    listen(listener) {
      if (failure === undefined) listeners.add(listener)
      else listener.onError(failure.error)
      return () => listeners.delete(listener)
    },
    close() {
      closed.abort()
      clearTimeout(retry)
      unwatch()
    },
  }
}

/** One read at a time; signals during a read cause one more read after it. */
function createLook(readOn: () => Promise<void>): () => void {
  let isLooking = false
  let again = false
  return function look() {
    again = true
    if (isLooking) return
    isLooking = true
    again = false
    void readOn().finally(() => {
      isLooking = false
      if (again) look()
    })
  }
}
