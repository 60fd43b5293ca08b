import type { CallRecord } from '../core/call.ts'
import { isSettled } from '../core/pipeline/call-state.ts'
import type { Store } from '../core/ports.ts'

/** Resolves with the record once it is settled, or as it stands when the time is over. */
export type WaitForCall = (
  tenant: string,
  callId: string,
  options?: { waitMs?: number; signal?: AbortSignal },
) => Promise<CallRecord | undefined>

/** A signal may be missed; then this is how late an answer can be. */
const lookAgainMs = 1000
/** Node takes a longer time for no time at all. */
const longestTimerMs = 2_147_483_647

/** One look-out for a call, however many wait for it. */
interface LookOut {
  /** The settled record; undefined when there is no such call. */
  settled: Promise<CallRecord | undefined>
  waiters: number
  stop: AbortController
}

type Calls = Pick<Store, 'calls' | 'events'>

/**
 * Waits by the store's signal that something is new, so that it works for calls of other nodes too.
 * The signal comes with everything that happens: all who wait for one call share each look at it.
 */
export function createWaitForCall(store: Calls): WaitForCall {
  const lookOuts = new Map<string, LookOut>()

  function join(key: string, tenant: string, callId: string): LookOut {
    const known = lookOuts.get(key)
    if (known !== undefined) return known
    const stop = new AbortController()
    const settled = lookUntilSettled(store, { tenant, callId, signal: stop.signal })
    const lookOut = { settled, waiters: 0, stop }
    lookOuts.set(key, lookOut)
    // What has ended is of no use to who comes later: a new look-out begins with a new look.
    const forget = () => lookOuts.get(key) === lookOut && lookOuts.delete(key)
    settled.then(forget, forget)
    return lookOut
  }

  function leave(key: string, lookOut: LookOut): void {
    lookOut.waiters -= 1
    if (lookOut.waiters > 0) return
    lookOut.stop.abort()
    if (lookOuts.get(key) === lookOut) lookOuts.delete(key)
  }

  return async (tenant, callId, { waitMs = Number.POSITIVE_INFINITY, signal } = {}) => {
    const key = `${tenant} ${callId}`
    const lookOut = join(key, tenant, callId)
    lookOut.waiters += 1
    const patience = startPatience(waitMs, signal)
    try {
      const call = await Promise.race([lookOut.settled, patience.over])
      return call === 'over' ? await store.calls.find(tenant, callId) : call
    } finally {
      patience.stop()
      leave(key, lookOut)
    }
  }
}

async function lookUntilSettled(
  store: Calls,
  { tenant, callId, signal }: { tenant: string; callId: string; signal: AbortSignal },
): Promise<CallRecord | undefined> {
  while (true) {
    const changed = nextSignal(store, signal)
    try {
      const call = await store.calls.find(tenant, callId)
      if (call === undefined || isSettled(call.status) || signal.aborted) return call
      await changed.promise
    } finally {
      changed.stop()
    }
  }
}

/** Listens before the look, so that nothing falls between look and wait. */
function nextSignal(
  store: Pick<Store, 'events'>,
  signal: AbortSignal,
): { promise: Promise<void>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, lookAgainMs)
  const unwatch = store.events.watch(resolve)
  const done = () => resolve()
  signal.addEventListener('abort', done, { once: true })
  const stop = () => {
    clearTimeout(timer)
    unwatch()
    signal.removeEventListener('abort', done)
  }
  return { promise, stop }
}

/** How long one waiter waits: until the time is over or its signal aborts. */
function startPatience(
  waitMs: number,
  signal: AbortSignal | undefined,
): { over: Promise<'over'>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<'over'>()
  const end = () => resolve('over')
  const timer = waitMs <= longestTimerMs ? setTimeout(end, waitMs) : undefined
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end, { once: true })
  const stop = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
  return { over: promise, stop }
}
