import { ToolError } from '../../core/kernel/errors.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import type { CallResult } from '../../core/kernel/call.ts'
import type { Store } from '../../core/ports.ts'
import type { WaitForCall } from '../../features/calls/parts.ts'
import { createCallWatch } from './call-watch.ts'

/** Node treats a longer delay as zero. */
const longestTimerMs = 2_147_483_647

/** Waits for the store's signal of new events, so that it works for calls of other nodes too. */
export function createWaitForCall(store: Pick<Store, 'calls' | 'events'>): WaitForCall {
  const lookOut = createCallWatch(store)
  return async (tenant, callId, { waitMs = Number.POSITIVE_INFINITY, signal } = {}) => {
    const { settled, leave } = lookOut.watch(tenant, callId)
    const patience = startPatience(waitMs, signal)
    try {
      const call = await Promise.race([settled, patience.over])
      return call === 'over' ? await store.calls.find(tenant, callId) : call
    } finally {
      patience.stop()
      leave()
    }
  }
}

/** How long one waiter waits: until its timeout or until its signal aborts. */
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

/** The result of a call whose record was deleted during the wait. */
export function callGone(callId: string): CallResult {
  const error = new ToolError('not_found', 'The record of this call was removed in the meantime')
  return { callId, status: 'failed', error: toCallError(error) }
}
