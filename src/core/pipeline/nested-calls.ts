import type { CallResult } from '../call.ts'
import { ToolError } from '../errors.ts'
import type { StoredCall } from '../ports.ts'
import type { CallControl } from './call-control.ts'
import { isSettled } from './call-state.ts'

/** The calls that one call makes while it runs. */
export interface NestedCalls {
  /** What a run ends with that stops here to wait for a call it made. */
  readonly suspension: ToolError
  /** The next call: its place, and its result where an earlier run of the same call has it already. */
  next(tool: string): { position: number; earlier: StoredCall | undefined }
  /** Counts a call as under way until what it returns is called. */
  enter(): () => void
  /** One of them waits for somebody: ends the run as soon as no other is under way. Never resolves. */
  suspend(): Promise<never>
}

/** `earlier` are the calls of the runs before this one, oldest first; empty when it begins anew. */
export function createNestedCalls(
  control: Pick<CallControl, 'abort'>,
  earlier: readonly StoredCall[],
): NestedCalls {
  const suspension = new ToolError('interrupted', 'Stopped to wait for a call it made')
  const made = new Map(earlier.map((call) => [call.position, call]))
  let count = 0
  let underWay = 0
  let isWaiting = false

  /** After everything that is ready: a tool may go on with another call before it has nothing left to do. */
  function endWhenIdle(): void {
    if (!isWaiting || underWay > 0) return
    setTimeout(() => {
      if (underWay === 0) control.abort(suspension)
    }, 0)
  }
  return {
    suspension,
    next(tool) {
      const position = count
      count += 1
      const call = made.get(position)
      if (call === undefined || isToBeMadeAgain(call)) return { position, earlier: undefined }
      if (call.tool !== tool) throw otherWay(call, tool)
      return { position, earlier: call }
    },
    enter() {
      underWay += 1
      return () => {
        underWay -= 1
        endWhenIdle()
      }
    },
    suspend() {
      isWaiting = true
      endWhenIdle()
      return new Promise<never>(() => undefined)
    },
  }
}

/**
 * Cut off with the run that made it: it has no result that means anything. One that never began was
 * cancelled by somebody who meant it, and would only be asked for again.
 */
function isToBeMadeAgain({ status, error, startedAt }: StoredCall): boolean {
  return (status === 'cancelled' && startedAt !== undefined) || error?.code === 'interrupted'
}

/** Settled results are used as they are; anything else still waits. */
export function isStillOpen(result: Pick<CallResult, 'status'>): boolean {
  return !isSettled(result.status)
}

function otherWay(call: StoredCall, tool: string): ToolError {
  return new ToolError(
    'tool_failed',
    `When it was resumed it called ${tool} where it had called ${call.tool} before`,
    { fix: 'A tool that waits for the calls it makes must make the same ones when it runs again.' },
  )
}
