import { ToolError } from '../errors.ts'

/** The end of a call from outside: deadline, cancel, drain. Made per call, so it must be cheap. */
export interface CallControl {
  /** What the tool sees. Made on first use: most tools never look at it. */
  readonly signal: AbortSignal
  readonly reason: ToolError | undefined
  abort(reason: ToolError): void
  /** Rejects the moment the call is aborted, whatever the tool does about its signal. */
  race<T>(work: Promise<T>): Promise<T>
  /** Takes the timer and the outer signal's listener away. */
  release(): void
}

export function createCallControl(timeoutMs: number, outer: AbortSignal | undefined): CallControl {
  let controller: AbortController | undefined
  let reason: ToolError | undefined
  let reject: ((reason: ToolError) => void) | undefined

  function abort(because: ToolError): void {
    if (reason !== undefined) return
    reason = because
    release()
    controller?.abort(because)
    reject?.(because)
  }
  const timer = setTimeout(() => {
    abort(new ToolError('timeout', `The tool did not finish within ${timeoutMs} ms`))
  }, timeoutMs)
  const onOuterAbort = () => abort(toAbortReason(outer?.reason))
  function release(): void {
    clearTimeout(timer)
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

function toAbortReason(reason: unknown): ToolError {
  if (reason instanceof ToolError) return reason
  return new ToolError('cancelled', 'The caller cancelled the call')
}
