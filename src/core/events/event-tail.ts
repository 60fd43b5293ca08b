import type { EventLog } from './event-log.ts'
import { createTailPages, type TailPages } from './tail-pages.ts'

/** Somebody who waits at the end of the tail. */
export interface TailListener {
  onPage(): void
  onError(error: unknown): void
}

/** The newest events of a tenant, read once for everybody who follows them. */
export interface EventTail {
  readonly pages: Omit<TailPages, 'begin' | 'append'>
  /** Resolves when there is a place to follow from. */
  readonly ready: Promise<void>
  /** Told of what comes, or at once that the last look failed. Returns the way to stop. */
  listen(listener: TailListener): () => void
  close(): void
}

/** One read of the tail; it is held for as long as a follower may need it, so it is not too large. */
const pageSize = 500
const pageBytes = 262_144
/** What a failed look would have found may be signalled by nobody again. */
const retryMs = 1_000

/**
 * Follows a tenant's log from its end on. It looks when the store signals, one look at a time, and
 * keeps what it read up to `maxBytes()`: who needs older pages has to read them itself.
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
  // Watched before the end is looked up, so that nothing falls between the two.
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
      // Who waits hears of it, and reads on from its own cursor when it comes back.
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

/** One look at a time; what is signalled during one is looked for after it, once. */
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
