import type { CallContext } from '../../kernel/call.ts'
import type { StepCalls } from '../../kernel/context/step-calls.ts'
import { isToolError } from '../../kernel/errors.ts'
import type { ToolBehaviour } from '../../kernel/tool.ts'
import { type CallControl, timedOut } from './call-control.ts'

/** One execution of a tool's function, with everything that can end it. */
export interface ToolExecution {
  behaviour: ToolBehaviour
  input: unknown
  context: CallContext
  steps: StepCalls | undefined
  control: CallControl
  retries: number
  timeoutMs: number
  onPartial(value: unknown): void
  onRetry(attempt: number, error: unknown): void
  /** Called when the tool's function is entered: before that, nothing can have happened. */
  onBegin(): void
}

/** A generator that yields without ever waiting would starve every timer, its own deadline included. */
const breatheAfterMs = 8
const firstRetryDelayMs = 100
const longestRetryDelayMs = 10_000

/** Runs the tool until it returns, throws, or is aborted. Rejects with the error that ended it. */
export async function runTool(run: ToolExecution): Promise<unknown> {
  const { control } = run
  for (let attempt = 1; ; attempt += 1) {
    // A call that was cancelled while it was recorded, queued or retried must not take effect.
    if (control.reason !== undefined) throw control.reason
    run.onBegin()
    try {
      const result = await execute(run)
      // A tool that blocked the thread past its deadline kept the timer from firing, too.
      if (control.remainingMs() < 0) throw timedOut(run.timeoutMs)
      return result
    } catch (error) {
      const mayRetry = attempt <= run.retries && control.reason === undefined && isRetryable(error)
      if (!mayRetry) throw error
      run.onRetry(attempt + 1, error)
      await control.race(wait(retryDelayMs(attempt)))
    }
  }
}

/** Waits for the tool, but not beyond the end of the call. */
function execute(run: ToolExecution): unknown {
  const result = run.behaviour.execute(run.input, run.context, run.steps)
  if (isAsyncIterable(result)) return run.control.race(drain(result, run))
  if (result instanceof Promise) return run.control.race(result)
  return isThenable(result) ? run.control.race(Promise.resolve(result)) : result
}

/**
 * Reads a generator to its end: yields are partial output, the last value (returned or yielded) is
 * the result.
 */
async function drain(iterable: AsyncIterable<unknown>, run: ToolExecution): Promise<unknown> {
  const iterator = iterable[Symbol.asyncIterator]()
  let last: unknown
  let breathedAt = performance.now()
  while (true) {
    const step = await iterator.next()
    if (run.control.reason !== undefined) {
      // Lets the generator's `finally` run; nobody waits for it.
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
      throw run.control.reason
    }
    if (step.done) return step.value === undefined ? last : step.value
    last = step.value
    run.onPartial(last)
    if (performance.now() - breathedAt > breatheAfterMs) {
      await wait(0)
      breathedAt = performance.now()
    }
  }
}

function isRetryable(error: unknown): boolean {
  return isToolError(error) && error.retryable
}

/** Doubles from 100 ms, with jitter so that retries spread out. */
function retryDelayMs(attempt: number): number {
  const longest = Math.min(longestRetryDelayMs, firstRetryDelayMs * 2 ** (attempt - 1))
  return longest / 2 + (Math.random() * longest) / 2
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** True for promises of any implementation. */
function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
