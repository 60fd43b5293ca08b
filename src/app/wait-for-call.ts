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

/** Waits by the store's signal that something is new, so that it works for calls of other nodes too. */
export function createWaitForCall(store: Pick<Store, 'calls' | 'events'>): WaitForCall {
  return async (tenant, callId, { waitMs = Number.POSITIVE_INFINITY, signal } = {}) => {
    const deadline = Date.now() + waitMs
    while (true) {
      const changed = nextSignal(
        store,
        Math.min(lookAgainMs, Math.max(0, deadline - Date.now())),
        signal,
      )
      const call = await store.calls.find(tenant, callId)
      if (
        call === undefined ||
        isSettled(call.status) ||
        Date.now() >= deadline ||
        signal?.aborted
      ) {
        changed.stop()
        return call
      }
      await changed.promise
    }
  }
}

/** Listens before the look, so that nothing falls between look and wait. */
function nextSignal(
  store: Pick<Store, 'events'>,
  ms: number,
  signal: AbortSignal | undefined,
): { promise: Promise<void>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const unwatch = store.events.watch(resolve)
  const done = () => resolve()
  signal?.addEventListener('abort', done, { once: true })
  const stop = () => {
    clearTimeout(timer)
    unwatch()
    signal?.removeEventListener('abort', done)
    resolve()
  }
  void promise.then(stop)
  return { promise, stop }
}
