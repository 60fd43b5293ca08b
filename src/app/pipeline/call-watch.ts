import type { CallRecord } from '../../core/kernel/call.ts'
import { isSettled } from '../../core/call-state.ts'
import type { Store } from '../../core/ports.ts'

/** Watches for the end of calls, with one query for all of them. */
export interface CallWatch {
  /** `settled` resolves with the settled record, or undefined when the call does not exist. */
  watch(
    tenant: string,
    callId: string,
  ): { settled: Promise<CallRecord | undefined>; leave: () => void }
}

/** The longest delay if a signal is missed. */
const lookAgainMs = 1000
/**
 * Records include their outputs: this limits how many are in memory when thousands end together.
 */
const maxFound = 100

interface Watched extends Pick<CallRecord, 'tenant' | 'callId'> {
  settled: Promise<CallRecord | undefined>
  resolve(call: CallRecord | undefined): void
  reject(error: unknown): void
  waiters: number
}

/**
 * The store signals every change anywhere. All awaited calls are then queried together: thousands
 * of waiters cost one statement, and nothing while nobody waits.
 */
export function createCallWatch({ calls, events }: Pick<Store, 'calls' | 'events'>): CallWatch {
  const watched = new Map<string, Watched>()
  const look = createPacedLook(findEnds)
  let stop: (() => void) | undefined

  async function findEnds(): Promise<void> {
    for (let found = maxFound; found === maxFound && watched.size > 0;) {
      const settled = await calls.findSettled([...watched.values()], maxFound)
      found = settled.length
      for (const call of settled) finish(watched.get(toKey(call)), call)
    }
  }

  function finish(entry: Watched | undefined, call: CallRecord | undefined): void {
    if (entry === undefined) return
    entry.resolve(call)
    forget(entry)
  }

  function forget(entry: Watched): void {
    const key = toKey(entry)
    if (watched.get(key) === entry) watched.delete(key)
    if (watched.size > 0) return
    stop?.()
    stop = undefined
  }

  function add(tenant: string, callId: string): Watched {
    const { promise, resolve, reject } = Promise.withResolvers<CallRecord | undefined>()
    const added: Watched = { tenant, callId, settled: promise, resolve, reject, waiters: 0 }
    // Also when all waiters have left already.
    promise.catch(() => undefined)
    watched.set(toKey(added), added)
    stop ??= startLooking(events, look)
    // From now on its end is signalled; this query finds an earlier one.
    calls.find(tenant, callId).then(
      (call) => (call === undefined || isSettled(call.status)) && finish(added, call),
      (error: unknown) => {
        added.reject(error)
        forget(added)
      },
    )
    return added
  }

  return {
    watch(tenant, callId) {
      const entry = watched.get(toKey({ tenant, callId })) ?? add(tenant, callId)
      entry.waiters += 1
      return {
        settled: entry.settled,
        leave() {
          entry.waiters -= 1
          if (entry.waiters === 0) forget(entry)
        },
      }
    },
  }
}

function toKey({ tenant, callId }: Pick<CallRecord, 'tenant' | 'callId'>): string {
  return `${tenant} ${callId}`
}

function startLooking(events: Pick<Store['events'], 'watch'>, look: () => void): () => void {
  const unwatch = events.watch(look)
  const timer = setInterval(look, lookAgainMs)
  return () => {
    unwatch()
    clearInterval(timer)
  }
}

/**
 * One query at a time, each followed by a pause of the same length: regardless of the number of
 * waiters and events, queries take at most half of the time. A failed query is retried later.
 */
function createPacedLook(findEnds: () => Promise<void>): () => void {
  let isBusy = false
  let again = false
  return function look() {
    again = true
    if (isBusy) return
    isBusy = true
    again = false
    const from = performance.now()
    const rest = () =>
      void setTimeout(() => {
        isBusy = false
        if (again) look()
      }, performance.now() - from)
    findEnds().then(rest, rest)
  }
}
