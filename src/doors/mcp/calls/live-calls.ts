import type { CallResult } from '../../../core/kernel/call.ts'
import type { PendingDialog } from './pending-dialog.ts'

/** Calls that run in this process and whose clients come back for them. */
export interface LiveCalls {
  /** False where this holder has too many: then its requests wait for their calls. */
  hasRoom(holder: string): boolean
  /** Kept until it is done. */
  add(dialog: PendingDialog<CallResult>, holder: string): void
  find(callId: string, holder: string): PendingDialog<CallResult> | undefined
  readonly size: number
}

/** Opens the list. */
export function createLiveCalls(mostPerHolder: number): LiveCalls {
  const calls = new Map<string, { dialog: PendingDialog<CallResult>; holder: string }>()
  return {
    hasRoom(holder) {
      let own = 0
      for (const call of calls.values()) if (call.holder === holder) own += 1
      return own < mostPerHolder
    },
    add(dialog, holder) {
      const { callId } = dialog
      if (callId === undefined || dialog.isDone) return
      calls.set(callId, { dialog, holder })
      void dialog.whenDone.then(() => calls.delete(callId))
    },
    find(callId, holder) {
      const call = calls.get(callId)
      return call?.holder === holder ? call.dialog : undefined
    },
    get size() {
      return calls.size
    },
  }
}
