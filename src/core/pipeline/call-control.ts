import { ToolError } from '../errors.ts'

/** The end of a call from outside: deadline, cancel, drain. Made per call, so it must be cheap. */
export interface CallControl {
  /** What the tool sees. Made on first use: most tools never look at it. */
  readonly signal: AbortSignal
  readonly reason: ToolError | undefined
  /** Aborted or ended: a tool that goes on all the same may start nothing more. */
  readonly isOver: boolean
  /** By a clock that nobody can set. */
  remainingMs(): number
  /** Stops the clock until what it returns is called: a person who is asked may take long. */
  hold(): () => void
  abort(reason: ToolError): void
  /** Rejects the moment the call is aborted, whatever the tool does about its signal. */
  race<T>(work: Promise<T>): Promise<T>
  /** The call has ended: takes the timer and the outer signal's listener away. */
  release(): void
}

export function createCallControl(timeoutMs: number, outer: AbortSignal | undefined): CallControl {
  let controller: AbortController | undefined
  let reason: ToolError | undefined
  let reject: ((reason: ToolError) => void) | undefined
  let isReleased = false

  function abort(because: ToolError): void {
    if (reason !== undefined || isReleased) return
    reason = because
    release()
    controller?.abort(because)
    reject?.(because)
  }
  const deadline = startDeadline(timeoutMs, () => abort(timedOut(timeoutMs)))
  const onOuterAbort = () => abort(toAbortReason(outer?.reason))
  function release(): void {
    isReleased = true
    deadline.stop()
    outer?.removeEventListener('abort', onOuterAbort)
  }
  if (outer?.aborted) onOuterAbort()
  else outer?.addEventListener('abort', onOuterAbort, { once: true })

  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController()
        if (reason !== undefined) controller.abort(reason)
      }
      return controller.signal
    },
    get reason() {
      return reason
    },
    get isOver() {
      return isReleased
    },
    remainingMs: deadline.remainingMs,
    hold: deadline.hold,
    abort,
    race(work) {
      return new Promise((resolve, rejectRace) => {
        // A late result of a tool that ignores its signal finds the promise settled and is dropped.
        work.then(resolve, rejectRace)
        if (reason === undefined) reject = rejectRace
        else rejectRace(reason)
      })
    },
    release,
  }
}

interface Deadline extends Pick<CallControl, 'remainingMs' | 'hold'> {
  stop(): void
}

function startDeadline(timeoutMs: number, expire: () => void): Deadline {
  let endsAt = performance.now() + timeoutMs
  let timer = setTimeout(expire, timeoutMs)
  let isStopped = false
  let holds = 0
  let heldAt = 0
  function goOn(): void {
    holds -= 1
    if (holds > 0) return
    endsAt += performance.now() - heldAt
    if (!isStopped) timer = setTimeout(expire, endsAt - performance.now())
  }
  return {
    remainingMs: () => endsAt - (holds > 0 ? heldAt : performance.now()),
    hold() {
      if (holds === 0) {
        heldAt = performance.now()
        clearTimeout(timer)
      }
      holds += 1
      let isHeld = true
      return () => {
        if (isHeld) goOn()
        isHeld = false
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** The end of a call whose time is up. */
export function timedOut(timeoutMs: number): ToolError {
  return new ToolError('timeout', `The tool did not finish within ${timeoutMs} ms`)
}

function toAbortReason(reason: unknown): ToolError {
  if (reason instanceof ToolError) return reason
  return new ToolError('cancelled', 'The caller cancelled the call')
}
