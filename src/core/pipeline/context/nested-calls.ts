import type { CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { StoredCall } from '../../call-log.ts'
import type { CallControl } from '../run/call-control.ts'
import { isSettled } from '../../call-state.ts'

/** What a run ends with that stops to wait for a call it made. One for all: making an error is not cheap. */
const suspension = new ToolError('interrupted', 'Stopped to wait for a call it made')

/** The calls that one call makes while it runs. Made for every call, so it must be cheap. */
export class NestedCalls {
  readonly #control: Pick<CallControl, 'abort'>
  readonly #earlier: readonly StoredCall[]
  #count = 0
  #underWay = 0
  #isWaiting = false
  #mismatch: ToolError | undefined

  /** `earlier` are the calls of the runs before this one, oldest first; empty when it begins anew. */
  constructor(control: Pick<CallControl, 'abort'>, earlier: readonly StoredCall[]) {
    this.#control = control
    this.#earlier = earlier
  }

  /** Did the run end to wait? Another call's suspension is only an end. */
  isSuspension(error: unknown): boolean {
    return this.#isWaiting && error === suspension
  }

  /** Why this run is not the one that it resumes. A tool may have caught it; it fails all the same. */
  get mismatch(): ToolError | undefined {
    return this.#mismatch
  }

  /** The tool is tried again from its beginning, and so are the places of its calls. */
  restart(): void {
    this.#count = 0
  }

  /**
   * The next call: its place, and its result where an earlier run of the same call has it already.
   * `digest` stands for the tool and its input.
   */
  next(
    tool: string,
    digest: string | undefined,
  ): { position: number; earlier: StoredCall | undefined } {
    if (this.#mismatch !== undefined) throw this.#mismatch
    const position = this.#count
    this.#count += 1
    // A run that was cut off and repeated before it waited has made some of them twice.
    const call = this.#earlier.findLast((made) => made.position === position)
    if (call === undefined || isToBeMadeAgain(call)) return { position, earlier: undefined }
    if (!isSameCall(call, tool, digest)) throw (this.#mismatch = otherWay(call, tool))
    return { position, earlier: call }
  }

  /** Hands back what the tool returned; throws where it made other calls than before, or fewer. */
  finish<T>(returned: T): T {
    const left = this.#earlier.find(
      (made) => (made.position ?? -1) >= this.#count && !isToBeMadeAgain(made),
    )
    if (left !== undefined) this.#mismatch ??= fewerCalls(left)
    if (this.#mismatch !== undefined) throw this.#mismatch
    return returned
  }

  /** Counts a call as under way until what it returns is called. */
  enter(): () => void {
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
      this.#endWhenIdle()
    }
  }

  /** One of them waits for somebody: ends the run as soon as no other is under way. Never resolves. */
  suspend(): Promise<never> {
    this.#isWaiting = true
    this.#endWhenIdle()
    return new Promise<never>(() => undefined)
  }

  /** After everything that is ready: a tool may go on with another call before it has nothing left to do. */
  #endWhenIdle(): void {
    if (!this.#isWaiting || this.#underWay > 0) return
    setTimeout(() => {
      if (this.#underWay === 0) this.#control.abort(suspension)
    }, 0)
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

/**
 * Compared by what was asked first, because a person may have edited the input of the call since. Calls
 * of earlier versions have no digest.
 */
function isSameCall(call: StoredCall, tool: string, digest: string | undefined): boolean {
  if (call.askedDigest === undefined || digest === undefined) return call.tool === tool
  return call.askedDigest === digest
}

const fix = 'A tool that waits for the calls it makes must make the same ones when it runs again.'

function otherWay(call: StoredCall, tool: string): ToolError {
  const message =
    call.tool === tool
      ? `When it was resumed it called ${tool} with other input than before`
      : `When it was resumed it called ${tool} where it had called ${call.tool} before`
  return new ToolError('tool_failed', message, { fix })
}

function fewerCalls(left: StoredCall): ToolError {
  const message = `When it was resumed it did not call ${left.tool}, which it had called before`
  return new ToolError('tool_failed', message, { fix })
}
