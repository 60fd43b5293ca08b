import { ToolError } from '../../kernel/errors.ts'

/** Timers take no more; no run lasts this long. */
const longestTimerMs = 2_147_483_647

/**
 * Ends a call from outside: deadline, cancellation, drain. Created for every call, so it is one
 * object without closures.
 */
export class CallControl {
  readonly #timeoutMs: number
  #endsAt: number
  #timer: ReturnType<typeof setTimeout>
  #holds = 0
  #heldAt = 0
  readonly #outer: AbortSignal | undefined
  readonly #onOuterAbort: (() => void) | undefined
  #controller: AbortController | undefined
  #reason: ToolError | undefined
  #reject: ((reason: ToolError) => void) | undefined
  #isReleased = false
  #deadline: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#endsAt = performance.now() + timeoutMs
    this.#timer = setTimeout(expire, timeoutMs, this, timeoutMs)
    this.#outer = outer
    if (outer === undefined) return
    this.#onOuterAbort = () => this.abort(toAbortReason(outer.reason))
    if (outer.aborted) this.#onOuterAbort()
    else outer.addEventListener('abort', this.#onOuterAbort, { once: true })
  }

  /** The tool's signal. Created on first use: most tools never read it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  get reason(): ToolError | undefined {
    return this.#reason
  }

  /** Aborted or ended: a tool that keeps running must not start anything more. */
  get isOver(): boolean {
    return this.#isReleased
  }

  /** By a monotonic clock. */
  remainingMs(): number {
    return this.#endsAt - (this.#holds > 0 ? this.#heldAt : performance.now())
  }

  /** Ends the call after this time even while its clock is paused. */
  endWithin(ms: number): void {
    if (ms > longestTimerMs) return
    this.#deadline = setTimeout(expire, Math.max(0, ms), this, Math.max(0, Math.round(ms)))
  }

  /** Stops the clock until the returned function is called: a person may take long to answer. */
  hold(): () => void {
    if (this.#holds === 0) {
      this.#heldAt = performance.now()
      clearTimeout(this.#timer)
    }
    this.#holds += 1
    let isHeld = true
    return () => {
      if (isHeld) this.#goOn()
      isHeld = false
    }
  }

  #goOn(): void {
    this.#holds -= 1
    if (this.#holds > 0) return
    this.#endsAt += performance.now() - this.#heldAt
    if (this.#isReleased) return
    this.#timer = setTimeout(expire, this.#endsAt - performance.now(), this, this.#timeoutMs)
  }

  abort(reason: ToolError): void {
    if (this.#reason !== undefined || this.#isReleased) return
    this.#reason = reason
    this.release()
    this.#controller?.abort(reason)
    this.#reject?.(reason)
  }

  /** Rejects the moment the call is aborted, even if the tool ignores its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // A late result of a tool that ignores its signal finds the promise settled and is dropped.
      work.then(resolve, reject)
      if (this.#reason === undefined) this.#reject = reject
      else reject(this.#reason)
    })
  }

  /** The call has ended: clears the timer and the listener on the outer signal. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    clearTimeout(this.#timer)
    if (this.#deadline !== undefined) clearTimeout(this.#deadline)
    if (this.#onOuterAbort) this.#outer?.removeEventListener('abort', this.#onOuterAbort)
  }
}

function expire(control: CallControl, timeoutMs: number): void {
  control.abort(timedOut(timeoutMs))
}

/** The error of a call that reached its deadline. */
export function timedOut(timeoutMs: number): ToolError {
  return new ToolError('timeout', `The tool did not finish within ${timeoutMs} ms`)
}

function toAbortReason(reason: unknown): ToolError {
  if (reason instanceof ToolError) return reason
  return new ToolError('cancelled', 'The caller cancelled the call')
}
