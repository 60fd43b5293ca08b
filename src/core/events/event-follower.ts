import type { EventLog, EventQuery } from './event-log.ts'
import type { CribEvent } from './event.ts'
import { createEventPlace, type OwnPage } from './event-place.ts'
import type { EventTail } from './event-tail.ts'

/** One reader of a feed: a place and a filter. It is asked, so what it does not take is not kept for it. */
export interface EventFollower {
  /**
   * The next events that fit; none when nothing came for so long, or after `wake`. Followers with
   * the same filter are given the same list, so that it is put into bytes once. One at a time.
   */
  next(waitMs: number): Promise<readonly CribEvent[]>
  /** Ends the wait under way, or the next one. */
  wake(): void
  /** From here on `next` gives nothing, at once. */
  close(): void
}

interface FollowerOptions {
  tail: EventTail
  query: EventQuery
  compare: EventLog['compare']
  read(query: EventQuery): Promise<OwnPage>
  /** Everybody else's turn before a page is handed out that is not the newest. */
  turn(): Promise<void>
  onClose(): void
}

/** A thousand slow readers may each hold a page of their own. */
const ownPageBytes = 65_536
/** A longer time has no timer: Node would take it for none at all, and nothing should keep a process up for it. */
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

  /** Pages until one holds something, the tail is reached, or the time is up: a rare type may take many. */
  async function catchUp(until: number): Promise<readonly CribEvent[]> {
    while (!state.isAwake && !place.isInTail()) {
      const items = await readOwn()
      // Also for a page that somebody else has read: its bytes are sent from here.
      await options.turn()
      if (items.length > 0 || performance.now() > until) return items
    }
    return []
  }

  async function waitForMore(waitMs: number): Promise<readonly CribEvent[]> {
    wait = startWait(tail, place.take, waitMs)
    try {
      const found = await wait.promise
      // What a call does is to be had before the log is decided so far: a stuck writer holds no end back.
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

/** Ends with the first events that `take` finds in what the tail reads, or when the time is up. */
function startWait(tail: EventTail, take: () => readonly CribEvent[], waitMs: number): Wait {
  const { promise, resolve, reject } = Promise.withResolvers<Found>()
  // Listening ends at once: what is taken after the end of the wait would be given to nobody.
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
