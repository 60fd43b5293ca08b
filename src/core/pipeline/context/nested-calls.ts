import type { CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { StoredCall } from '../../call-log.ts'
import type { CallControl } from '../run/call-control.ts'
import { isSettled } from '../../call-state.ts'

/**
 * The error of a run that stops to wait for a call it made. A single instance, because creating an
 * error is expensive.
 */
const suspension = new ToolError('interrupted', 'Stopped to wait for a call it made')

/** The calls that one call makes while it runs. Created for every call, so it must be cheap. */
export class NestedCalls {
  readonly #control: Pick<CallControl, 'abort'>
  readonly #earlier: readonly StoredCall[]
  #count = 0
  #underWay = 0
  #isWaiting = false
  #mismatch: ToolError | undefined

  /** `earlier` are the calls of the previous runs, oldest first; empty for the first run. */
  constructor(control: Pick<CallControl, 'abort'>, earlier: readonly StoredCall[]) {
    this.#control = control
    this.#earlier = earlier
  }

  /** True if the run ended to wait. Another call's suspension is an ordinary error. */
  isSuspension(error: unknown): boolean {
    return this.#isWaiting && error === suspension
  }

  /**
   * The reason why this run differs from the one it resumes. A tool may have caught the error; it
   * fails anyway.
   */
  get mismatch(): ToolError | undefined {
    return this.#mismatch
  }

  /** A retry starts the tool from the beginning, and counts its calls from the first again. */
  restart(): void {
    this.#count = 0
  }

  /**
   * The next call: its position, and its result if an earlier run already made the same call.
   * `digest` identifies the tool and its input.
   */
  next(
    tool: string,
    digest: string | undefined,
  ): { position: number; earlier: StoredCall | undefined } {
    if (this.#mismatch !== undefined) throw this.#mismatch
    const position = this.#count
    this.#count += 1
    // A run that was interrupted and repeated before it waited has made some of them twice.
    const call = this.#earlier.findLast((made) => made.position === position)
    if (call === undefined || isToBeMadeAgain(call)) return { position, earlier: undefined }
    if (!isSameCall(call, tool, digest)) throw (this.#mismatch = otherWay(call, tool))
    return { position, earlier: call }
  }

  /** Returns what the tool returned; throws if it made other calls than before, or fewer. */
  finish<T>(returned: T): T {
    const left = this.#earlier.find(
      (made) => (made.position ?? -1) >= this.#count && !isToBeMadeAgain(made),
    )
    if (left !== undefined) this.#mismatch ??= fewerCalls(left)
    if (this.#mismatch !== undefined) throw this.#mismatch
    return returned
  }

  /** Counts a call as in progress until the returned function is called. */
  enter(): () => void {
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
      this.#endWhenIdle()
    }
  }

  /** True while one of its calls is in progress. */
  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /** The run differs from the one it resumes: it fails with this error, even if the tool caught it. */
  diverge(error: ToolError): ToolError {
    return (this.#mismatch ??= error)
  }

  /**
   * One of its calls has to wait: ends the run as soon as no other is in progress. Never resolves.
   */
  suspend(): Promise<never> {
    this.#isWaiting = true
    this.#endWhenIdle()
    return new Promise<never>(() => undefined)
  }

  /**
   * Runs after all pending microtasks: a tool may start another call before it has nothing left to
   * do.
   */
  #endWhenIdle(): void {
    if (!this.#isWaiting || this.#underWay > 0) return
    setTimeout(() => {
      if (this.#underWay === 0) this.#control.abort(suspension)
    }, 0)
  }
}

/**
 * Interrupted together with the run that made it, so it has no meaningful result. A call that never
 * started was cancelled on purpose, and is not repeated.
 */
export function isToBeMadeAgain({ status, error, startedAt }: StoredCall): boolean {
  return (status === 'cancelled' && startedAt !== undefined) || error?.code === 'interrupted'
}

/** Settled results are used as they are; any other call still waits. */
export function isStillOpen(result: Pick<CallResult, 'status'>): boolean {
  return !isSettled(result.status)
}

/**
 * Compared by the input as first requested, because a person may have edited the input since. Calls
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
      ? `When it was resumed it called ${tool} with different input than before`
      : `When it was resumed it called ${tool} where it had called ${call.tool} before`
  return new ToolError('tool_failed', message, { fix })
}

function fewerCalls(left: StoredCall): ToolError {
  const message = `When it was resumed it did not call ${left.tool}, which it had called before`
  return new ToolError('tool_failed', message, { fix })
}
