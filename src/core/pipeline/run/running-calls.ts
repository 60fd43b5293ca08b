import { ToolError } from '../../kernel/errors.ts'
import { isSettled } from '../../call-state.ts'
import type { CallResult } from '../../kernel/call.ts'
import type { CallControl } from './call-control.ts'

/** A call that runs in this process. */
export interface RunningCall {
  callId: string
  tenant: string
  /** Aborting it aborts the tool's signal; the call settles with that error's code. */
  control: Pick<CallControl, 'abort'>
  done: Promise<CallResult>
}

/** The calls that run in this process: they can be cancelled here, and a drain waits for them. */
export interface RunningCalls {
  add(call: RunningCall): void
  find(callId: string): RunningCall | undefined
  /** `settled` resolves when a run of this call here settles it. One watcher at a time. */
  watch(callId: string): { settled: Promise<CallResult>; leave(): void }
  ids(): string[]
  count(): number
  /**
   * Counts an incoming request; call the returned function once when it is answered. Drain waits
   * for it as well.
   */
  enter(): () => void
  /** Waits for all; at the deadline aborts the rest and waits for them to settle. */
  drain(deadlineMs: number): Promise<void>
}

export function createRunningCalls(): RunningCalls {
  const calls = new Map<string, RunningCall>()
  const watched = new Map<string, (result: CallResult) => void>()
  const requests = { open: 0 }
  const leave = () => void (requests.open -= 1)
  return {
    enter() {
      requests.open += 1
      return leave
    },
    add(call) {
      calls.set(call.callId, call)
      const forget = () => calls.delete(call.callId)
      const end = (result: CallResult) => {
        forget()
        if (isSettled(result.status)) watched.get(call.callId)?.(result)
      }
      call.done.then(end, forget)
    },
    watch(callId) {
      const { promise, resolve } = Promise.withResolvers<CallResult>()
      watched.set(callId, resolve)
      return { settled: promise, leave: () => void watched.delete(callId) }
    },
    find: (callId) => calls.get(callId),
    ids: () => [...calls.keys()],
    count: () => calls.size,
    async drain(deadlineMs) {
      let isLate = false
      const abortAll = () => {
        isLate = true
        const because = 'The server stopped before the tool had finished'
        for (const call of calls.values()) call.control.abort(new ToolError('interrupted', because))
      }
      const timer = setTimeout(abortAll, deadlineMs)
      try {
        // A call may start another one while it drains, so look again until none is left.
        while (calls.size > 0 || requests.open > 0) {
          await Promise.allSettled([...calls.values()].map((call) => call.done))
          if (requests.open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
          // Includes calls that were still being recorded at the deadline.
          if (isLate) abortAll()
        }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
