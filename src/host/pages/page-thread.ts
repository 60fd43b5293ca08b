import { Worker } from 'node:worker_threads'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ReadablePage } from '../../core/kernel/context/pages.ts'
import type { PageAnswer, PageOrder } from './page-worker.ts'

export interface PageThreadOptions {
  /** The module that exports `startPageWorker`. */
  module: string
  /** For one page. */
  deadlineMs: number
  memoryMb: number
}

/** One thread, with one page at a time. */
export interface PageThread {
  /** Has ended, or is about to. */
  readonly isOver: boolean
  convert(order: PageOrder, signal: AbortSignal | undefined): Promise<ReadablePage>
  end(): Promise<void>
}

const start = `const { workerData } = require('node:worker_threads')
import(workerData.module).then((module) => module.startPageWorker())`

/** To load the modules, on a machine with much else to do. */
const loadMs = 30_000

/** Starts a thread. A page that takes too long, or too much memory, takes its thread with it. */
export function createPageThread(options: PageThreadOptions): PageThread {
  const worker = new Worker(start, {
    eval: true,
    execArgv: [],
    workerData: { module: options.module },
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
  })
  let isOver = false
  let failure: Error | undefined
  const end = async () => {
    isOver = true
    await worker.terminate()
  }
  worker.on('error', (error: Error) => (failure = error))
  worker.once('exit', () => (isOver = true))
  worker.unref()
  return {
    get isOver() {
      return isOver
    },
    end,
    async convert(order, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ReadablePage>()
      const giveUp = (reason: unknown) => {
        reject(reason)
        void end()
      }
      const late = () => giveUp(tooHeavy(`takes longer than ${options.deadlineMs / 1000} seconds`))
      let timer = setTimeout(late, loadMs)
      const onMessage = (answer: PageAnswer) => {
        clearTimeout(timer)
        if (answer.kind === 'begun') timer = setTimeout(late, options.deadlineMs)
        else if (answer.kind === 'done') resolve(answer.page)
        else reject(tooHeavy(`fails: ${answer.message}`))
      }
      const onExit = () => reject(tooHeavy(reasonOf(failure, options.memoryMb)))
      const onAbort = () => giveUp(signal?.reason)
      worker.on('message', onMessage).once('exit', onExit).ref()
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        worker.postMessage(order, [])
        return await promise
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        worker.off('message', onMessage).off('exit', onExit).unref()
      }
    },
  }
}

function reasonOf(failure: Error | undefined, memoryMb: number): string {
  const isMemory = (failure as { code?: string } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory
    ? `needs more than ${memoryMb} MB`
    : `fails: ${failure?.message ?? 'its thread ended'}`
}

function tooHeavy(reason: string): ToolError {
  return new ToolError('upstream_failed', `Converting the page ${reason}`, {
    retryable: false,
    fix: 'Read it with format "raw", which converts nothing.',
  })
}
