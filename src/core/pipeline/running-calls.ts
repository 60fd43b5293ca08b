import { ToolError } from '../errors.ts'
import type { CallResult } from '../call.ts'

/** One call that runs in this process. */
export interface RunningCall {
  callId: string
  tenant: string
  /** Aborts the tool's signal; the call settles with this error's code. */
  abort(reason: ToolError): void
  done: Promise<CallResult>
}

/** The calls that run in this process: who may be cancelled here, and what a drain waits for. */
export interface RunningCalls {
  add(call: RunningCall): void
  find(callId: string): RunningCall | undefined
  ids(): string[]
  count(): number
  /** Waits for all; at the deadline aborts the rest and waits for them to settle. */
  drain(deadlineMs: number): Promise<void>
}

export function createRunningCalls(): RunningCalls {
  const calls = new Map<string, RunningCall>()
  return {
    add(call) {
      calls.set(call.callId, call)
      const forget = () => calls.delete(call.callId)
      call.done.then(forget, forget)
    },
    find: (callId) => calls.get(callId),
    ids: () => [...calls.keys()],
    count: () => calls.size,
    async drain(deadlineMs) {
      const timer = setTimeout(() => {
        for (const call of calls.values()) {
          call.abort(
            new ToolError('interrupted', 'The server stopped before the tool had finished'),
          )
        }
      }, deadlineMs)
      try {
        // A call may start another one while it drains, so look again until none is left.
        while (calls.size > 0)
          await Promise.allSettled([...calls.values()].map((call) => call.done))
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
