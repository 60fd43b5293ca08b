import type { CodeRunner } from '../../core/host/code-runner.ts'
import type {
  CodeAnswer,
  CodeProgram,
  RunningProgram,
  CodeTurn,
} from '../../core/kernel/context/code.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { CodeThread } from './code-thread.ts'
import type { CodeLimits, CodeOrder, WireAnswer } from './messages.ts'
import { ThreadPool } from './thread-pool.ts'

export interface CodeRunnerOptions {
  /** The module that exports `startCodeWorker`. */
  module: string
  /** Programs that run at once on this node. */
  programs: number
  runMs: number
  memoryMb: number
  /** How long a program may wait for its turn. */
  waitMs?: number
  /** Extra time for steps that the engine can't interrupt, such as a built-in function. */
  graceMs?: number
}

const megabyte = 1_048_576
const limitsOfJson = { maxJsonChars: 2 * megabyte, maxLogChars: 65_536 }
/** Runs programs in threads that are started when they are first needed, and kept. */
export function openCodeRunner(options: CodeRunnerOptions): CodeRunner {
  const { runMs, memoryMb, waitMs = 10_000, graceMs = 2000 } = options
  const limits: CodeLimits = { runMs, memoryBytes: memoryMb * megabyte, ...limitsOfJson }
  const threads = new ThreadPool({
    ...options,
    waitMs,
    reportMs: runMs + graceMs,
    heapMb: 64,
  })
  return {
    codeFor: (tenant, signal) => ({
      async open(program) {
        const thread = await threads.take(tenant, signal)
        return openSession({ program, limits, thread, tenant, signal }, threads)
      },
    }),
    close: () => threads.close(),
  }
}

interface SessionParts {
  program: CodeProgram
  limits: CodeLimits
  thread: CodeThread
  tenant: string
  signal: AbortSignal
}

function openSession(parts: SessionParts, threads: ThreadPool): RunningProgram {
  const { program, limits, thread, tenant, signal } = parts
  let isOver = false
  let isComputing = false
  function close(): void {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', close)
    // One that computes does not listen.
    if (isComputing) void thread.end()
    else thread.clear()
    threads.giveBack(tenant, thread)
  }
  async function ask(order: CodeOrder): Promise<CodeTurn> {
    if (isOver) throw signal.reason ?? new ToolError('cancelled', 'The program has ended')
    isComputing = true
    try {
      const report = await thread.ask(order)
      isComputing = false
      if (report.kind === 'turn') return toTurn(report)
      throw new ToolError(report.code, report.message, { retryable: false })
    } finally {
      if (thread.isOver) close()
    }
  }
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  return {
    start: () => ask({ kind: 'start', program, limits }),
    answer: (answers) =>
      ask({ kind: 'answer', answers: answers.map((one) => toWire(one, limits)) }),
    close,
  }
}

function toTurn(report: Awaited<ReturnType<CodeThread['ask']>> & { kind: 'turn' }): CodeTurn {
  const { calls, logs, end } = report
  return {
    calls: calls.map(({ id, tool, json }) => ({ id, tool, input: JSON.parse(json) as never })),
    logs,
    ...(end && { end }),
  }
}

function toWire(answer: CodeAnswer, { maxJsonChars }: CodeLimits): WireAnswer {
  const { id } = answer
  if ('error' in answer) return { id, isError: true, json: JSON.stringify(answer.error) }
  const json = JSON.stringify(answer.output)
  if (json.length <= maxJsonChars) return { id, isError: false, json }
  const message = `The output has more than ${maxJsonChars} characters of JSON`
  return { id, isError: true, json: JSON.stringify({ code: 'quota_exceeded', message }) }
}
