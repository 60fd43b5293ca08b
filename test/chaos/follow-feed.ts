import { setTimeout as sleep } from 'node:timers/promises'
import type { CribEvent } from '../../src/core/events/event.ts'
import { parseCursor } from '../../src/store/log/events/event-cursor.ts'
import type { ChaosClient } from './chaos-client.ts'
import type { LoggedEvent } from './evidence.ts'

/** A reader of the whole log, with a cursor, from whichever node answers. */
export interface FeedReader {
  /** All it was given, in that order. */
  readonly followed: readonly LoggedEvent[]
  /** Reads on to the end, for the last time. */
  finish(): Promise<void>
}

const lookAgainMs = 5
const pageSizes = [7, 100, 1000]

/** Starts reading from the beginning. A page that did not come is asked for again, from another node. */
export function followFeed(client: ChaosClient): FeedReader {
  const followed: LoggedEvent[] = []
  let after: string | undefined
  const end = new AbortController()
  let turn = 0

  async function readPage(): Promise<boolean> {
    const limit = pageSizes[turn++ % pageSizes.length]
    const cursor = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const reply = await client.send({ path: `/api/v1/events?limit=${limit}${cursor}` })
    if (reply.http !== 200) return true
    const page = reply.body as { items: CribEvent[]; next: string; hasMore: boolean }
    followed.push(...page.items.map(toLoggedEvent))
    after = page.next
    return page.hasMore
  }

  const reading = (async () => {
    while (true) {
      // A page that was on its way when the end was called for is not the last one.
      const mayBeLast = end.signal.aborted
      const hasMore = await readPage()
      if (!hasMore && mayBeLast) return
      if (!hasMore) await sleep(lookAgainMs)
    }
  })()
  return {
    followed,
    async finish() {
      end.abort()
      await reading
    },
  }
}

/** An event of no call is numbered in a stream that only its cursor names. */
export function toLoggedEvent({ id, callId, seq, type, data }: CribEvent): LoggedEvent {
  const isCall = callId !== undefined
  return { stream: isCall ? callId : parseCursor(id).stream, isCall, seq, type, data }
}
