import type { EventLog, EventQuery } from './event-log.ts'
import type { CribEvent } from './event.ts'
import { createEventPlace, type OwnPage } from './event-place.ts'
import type { EventTail } from './event-tail.ts'

/** One reader of a feed: a position and a filter. It pulls, so nothing is buffered for it. */
export interface EventFollower {
  /**
   * The next matching events; none when nothing arrived in time, or after `wake`. Followers with
   * the same filter get the same list, so that it is serialised once. Do not call it concurrently.
   */
  next(waitMs: number): Promise<readonly CribEvent[]>
  /** Ends the current wait, or the next one. */
  wake(): void
  /** From here on `next` returns nothing, at once. */
  close(): void
}

interface FollowerOptions {
  tail: EventTail
  query: EventQuery
  compare: EventLog['compare']
  read(query: EventQuery): Promise<OwnPage>
  /** Yields to other work before an older page is delivered. */
  turn(): Promise<void>
  onClose(): void
}

/** A thousand slow readers may each hold a page. */
const ownPageBytes = 65_536
/** Node treats longer timeouts as zero, and no wait should keep the process alive. */
const longestTimerMs = 2_147_483_647

/** Follows from `query.after`: page by page until it has caught up with the tail, then with it. */
export function createEventFollower(options: FollowerOptions): EventFollower {
  const { tail, query } = options
  const place = createEventPlace(tail, query, options.compare)
  const state = { isAwake: false, isClosed: false }
  let wait: Wait | undefined

  async function readOwn(): Promise<readonly CribEvent[]> {
    const asked = { ...query, after: place.cursor, maxBytes: ownPageBytes }
    return place.takeOwn(await options.read(asked))
  }

  /**
   * Reads pages until one has a match, the tail is reached, or the time is up: a rare type may take
   * many.
   */
  async function catchUp(until: number): Promise<readonly CribEvent[]> {
    while (!state.isAwake && !place.isInTail()) {
      const items = await readOwn()
      // Also for a page that another follower has read: its bytes are sent from here.
      await options.turn()
      if (items.length > 0 || performance.now() > until) return items
    }
    return []
  }

  async function waitForMore(waitMs: number): Promise<readonly CribEvent[]> {
    wait = startWait(tail, place.take, waitMs)
    try {
      const found = await wait.promise
      // Events of a call are readable before the log is final up to them: a stuck writer does not
      // delay its end.
      return found === 'late' && query.callId !== undefined ? await readOwn() : withoutLate(found)
    } finally {
      wait = undefined
    }
  }

  return {
    async next(waitMs) {
      await tail.ready
      const until = performance.now() + waitMs
      const caught = await catchUp(until)
      if (caught.length > 0 || (performance.now() > until && !place.isInTail())) return caught
      const taken = state.isAwake ? [] : place.take()
      if (taken.length > 0) {
        if (place.cursor !== tail.pages.head) await options.turn()
        return taken
      }
      const found = waitMs > 0 && !state.isAwake ? await waitForMore(waitMs) : []
      if (found.length === 0) state.isAwake = state.isClosed
      return found
    },
    wake() {
      state.isAwake = true
      wait?.end([])
    },
    close() {
      if (state.isClosed) return
      Object.assign(state, { isAwake: true, isClosed: true })
      wait?.end([])
      options.onClose()
    },
  }
}

type Found = readonly CribEvent[] | 'late'

interface Wait {
  promise: Promise<Found>
  end(found: Found): void
}

function withoutLate(found: Found): readonly CribEvent[] {
  return found === 'late' ? [] : found
}

/** Ends with the first events that `take` finds in the tail's reads, or when the time is up. */
function startWait(tail: EventTail, take: () => readonly CribEvent[], waitMs: number): Wait {
  const { promise, resolve, reject } = Promise.withResolvers<Found>()
  // Unsubscribes at once: events taken after the end of the wait would be delivered to nobody.
  const finish = () => {
    clearTimeout(timer)
    unlisten()
  }
  const end = (found: Found) => {
    finish()
    resolve(found)
  }
  const timer = waitMs <= longestTimerMs ? setTimeout(() => end('late'), waitMs) : undefined
  let unlisten = () => {}
  unlisten = tail.listen({
    onPage() {
      const items = take()
      if (items.length > 0) end(items)
    },
    onError(error) {
      finish()
      reject(error)
    },
  })
  return { promise, end }
}
