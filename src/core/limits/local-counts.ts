import type { CountedUse, LimitCount, LimitStore, PermitGrant } from './limit-store.ts'
import {
  emptyWindow,
  giveBack,
  moveWindow,
  msUntilFree,
  sliceCount,
  sliceMs,
  takeFromWindow,
  totalOf,
  type Window,
} from './window.ts'

/** Counts in the memory of a single process. They start again with it. */
export type LocalCounts = Omit<LimitStore, 'tellOnce'>

interface Count extends LimitCount {
  window: Window
  places: number
}

/**
 * For a store with a single process. A restart loses the last minute of calls, and the calls that
 * ran before it no longer run: neither does harm. `now` is a monotonic clock.
 */
export function createLocalCounts(now: () => number = () => performance.now()): LocalCounts {
  const counts = new Map<string, Count>()
  const find = (of: LimitCount): Count => {
    const key = keyOf(of)
    const known = counts.get(key)
    if (known !== undefined) return known
    const { tenant, limit, subject } = of
    const count = { tenant, limit, subject, window: emptyWindow, places: 0 }
    counts.set(key, count)
    return count
  }
  const slotNow = () => Math.floor(now() / sliceMs)
  const toUse = ({ subject, window, places }: Count): CountedUse => ({
    subject,
    calls: totalOf(moveWindow(window, slotNow())),
    concurrent: places,
  })

  return {
    async takePermits(of, { most, wanted }) {
      const count = find(of)
      const at = now()
      const taken = takeFromWindow(count.window, { slot: Math.floor(at / sliceMs), most, wanted })
      count.window = taken.window
      return toGrant(taken, { at, most })
    },
    async givePermitsBack(unused) {
      for (const back of unused) {
        const count = counts.get(keyOf(back))
        if (count !== undefined) count.window = giveBack(count.window, back)
      }
    },
    async holdPlaces(of, { most, wanted, inUse }) {
      const count = find(of)
      count.places = Math.max(inUse, Math.min(wanted, most), 0)
      return count.places
    },
    async listUse({ tenant, limit: name }, { after, limit }) {
      const all = [...counts.values()]
        .filter((count) => count.tenant === tenant && count.limit === name)
        .map(toUse)
        .filter(({ calls, concurrent }) => calls > 0 || concurrent > 0)
        .toSorted(byUse)
      const items = all.slice(after, after + limit)
      return after + limit < all.length ? { items, next: String(after + limit) } : { items }
    },
    findUse: async (of) => {
      const count = counts.get(keyOf(of))
      return count === undefined ? { subject: of.subject, calls: 0, concurrent: 0 } : toUse(count)
    },
    async forgetIdle() {
      const before = counts.size
      for (const [key, { window, places }] of counts) {
        if (places === 0 && window.slot + sliceCount < slotNow()) counts.delete(key)
      }
      return before - counts.size
    },
  }
}

/**
 * The grant for a number of permits taken, at this time of the clock that slices are counted by.
 */
export function toGrant(
  { window, granted }: { window: Window; granted: number },
  { at, most }: { at: number; most: number },
): PermitGrant {
  const intoSliceMs = at - window.slot * sliceMs
  return {
    granted,
    slot: window.slot,
    validMs: sliceMs - intoSliceMs,
    retryAfterMs: msUntilFree(window, { most, intoSliceMs }),
  }
}

function byUse(left: CountedUse, right: CountedUse): number {
  const difference = right.calls - left.calls || right.concurrent - left.concurrent
  return difference || (left.subject < right.subject ? -1 : 1)
}

/** Tenants and names of limits never contain a line feed; a subject may contain anything. */
function keyOf({ tenant, limit, subject }: LimitCount): string {
  return `${tenant}\n${limit}\n${subject}`
}
