import type { CallResult } from '../../../core/call.ts'
import type { Exchange } from './exchange.ts'

/** Calls that run in this process and whose clients come back for them. */
export interface LiveCalls {
  /** Kept until it is done. */
  add(exchange: Exchange<CallResult>, holder: string): void
  find(callId: string, holder: string): Exchange<CallResult> | undefined
  readonly size: number
}

/** Opens the list. */
export function createLiveCalls(): LiveCalls {
  const calls = new Map<string, { exchange: Exchange<CallResult>; holder: string }>()
  return {
    add(exchange, holder) {
      const { callId } = exchange
      if (callId === undefined || exchange.isDone) return
      calls.set(callId, { exchange, holder })
      void exchange.whenDone.then(() => calls.delete(callId))
    },
    find(callId, holder) {
      const call = calls.get(callId)
      return call?.holder === holder ? call.exchange : undefined
    },
    get size() {
      return calls.size
    },
  }
}
