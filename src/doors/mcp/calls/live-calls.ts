import type { CallResult } from '../../../core/call.ts'
import type { Exchange } from './exchange.ts'

/** Calls that run in this process and whose clients come back for them. */
export interface LiveCalls {
  /** False where this holder has too many: then its requests wait for their calls. */
  hasRoom(holder: string): boolean
  /** Kept until it is done. */
  add(exchange: Exchange<CallResult>, holder: string): void
  find(callId: string, holder: string): Exchange<CallResult> | undefined
  readonly size: number
}

/** Opens the list. */
export function createLiveCalls(mostPerHolder: number): LiveCalls {
  const calls = new Map<string, { exchange: Exchange<CallResult>; holder: string }>()
  return {
    hasRoom(holder) {
      let own = 0
      for (const call of calls.values()) if (call.holder === holder) own += 1
      return own < mostPerHolder
    },
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
