import { Worker } from 'node:worker_threads'
import { ToolError } from '../../core/kernel/errors.ts'
import type { CodeOrder, CodeReport } from './messages.ts'

export interface CodeThreadOptions {
  /** The module that exports `startCodeWorker`. */
  module: string
  /** Until a report: a program that the engine itself can't stop takes its thread with it. */
  reportMs: number
  /** Of the thread, beside the memory of the engine. */
  heapMb: number
}

/** One thread, with one program at a time. */
export interface CodeThread {
  /** Has ended, or is about to. */
  readonly isOver: boolean
  /** Sends an order, and resolves with what the program did. */
  ask(order: CodeOrder): Promise<CodeReport>
  /** Forgets the program. */
  clear(): void
  end(): Promise<void>
}

const start = `const { workerData } = require('node:worker_threads')
import(workerData.module).then((module) => module.startCodeWorker())`

/** To load the modules and the engine, on a machine with much else to do. */
const loadMs = 30_000

export function createCodeThread(options: CodeThreadOptions): CodeThread {
  const worker = new Worker(start, {
    eval: true,
    // Removing types is experimental for Node; the tests of this folder hold it to what is needed.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
    workerData: { module: options.module },
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
  })
  let isOver = false
  let isLoaded = false
  const end = async () => {
    isOver = true
    await worker.terminate()
  }
  // A pending request for a report fails when the thread exits.
  worker.on('error', () => (isOver = true))
  worker.once('exit', () => (isOver = true))
  worker.unref()
  return {
    get isOver() {
      return isOver
    },
    end,
    clear: () => worker.postMessage({ kind: 'close' } satisfies CodeOrder, []),
    async ask(order) {
      const { promise, resolve, reject } = Promise.withResolvers<CodeReport>()
      const late = () => {
        reject(stopped('timeout', 'computed for too long'))
        void end()
      }
      const timer = setTimeout(late, options.reportMs + (isLoaded ? 0 : loadMs))
      const onExit = () => reject(stopped('tool_failed', 'made its engine fail'))
      worker.once('message', resolve).once('exit', onExit).ref()
      try {
        worker.postMessage(order, [])
        const report = await promise
        isLoaded = true
        return report
      } finally {
        clearTimeout(timer)
        worker.off('message', resolve).off('exit', onExit).unref()
      }
    },
  }
}

function stopped(code: 'timeout' | 'tool_failed', what: string): ToolError {
  return new ToolError(code, `The program ${what}, and was stopped`, { retryable: false })
}
