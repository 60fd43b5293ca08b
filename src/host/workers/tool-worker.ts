import { Worker } from 'node:worker_threads'
import { ToolError } from '../../core/kernel/errors.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** How a worker is made. */
export interface ToolWorkerOptions {
  /** The module that serves in a worker: it exports `startToolWorker`. */
  module: string
  memoryMb: number
}

/** One thread, and its messages. */
export interface ToolWorker {
  /** Throws a coded error where the message holds what can't be copied to a thread. */
  send(message: ToWorker): void
  /** Sets the current listener; the end of a worker is reported to `onEnd`. */
  listen(listener: WorkerListener | undefined): void
  /** It has ended or is about to: not to be used again. */
  readonly isOver: boolean
  /** A busy worker keeps the process up, an idle one does not. */
  setBusy(isBusy: boolean): void
  terminate(): Promise<void>
}

export interface WorkerListener {
  onMessage(message: FromWorker): void
  onEnd(error: ToolError): void
}

const start = `const { workerData } = require('node:worker_threads')
import(workerData.module).then((module) => module.startToolWorker())`

/** Starts a thread. `onEnd` is called once, with or without a listener. */
export function createToolWorker(
  { module, memoryMb }: ToolWorkerOptions,
  onEnd: () => void,
): ToolWorker {
  const worker = new Worker(start, {
    eval: true,
    execArgv: [],
    workerData: { module },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let listener: WorkerListener | undefined
  let failure: Error | undefined
  let isOver = false
  worker.on('message', (message: FromWorker) => listener?.onMessage(message))
  worker.on('error', (error: Error) => (failure = error))
  worker.on('exit', (code) => {
    isOver = true
    onEnd()
    listener?.onEnd(toCrash(failure, { code, memoryMb }))
  })
  worker.unref()
  return {
    send(message) {
      try {
        worker.postMessage(message, [])
      } catch (error) {
        throw notCopied(error)
      }
    },
    listen: (next) => void (listener = next),
    setBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    get isOver() {
      return isOver
    },
    async terminate() {
      isOver = true
      await worker.terminate()
    },
  }
}

function notCopied(cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ToolError('invalid_tool', `The tool's input can't be sent to a worker: ${reason}`, {
    cause,
    fix: 'Let the input schema give plain data (no functions or class instances), or set isolation: "inline".',
  })
}

function toCrash(
  error: Error | undefined,
  { code, memoryMb }: { code: number; memoryMb: number },
): ToolError {
  const isMemory = (error as { code?: string } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) {
    return new ToolError('tool_crashed', `The tool used more than ${memoryMb} MB of memory`, {
      fix: 'Let it hold less at a time, or raise limits.toolWorkerMemoryMb in the configuration.',
    })
  }
  const reason =
    error === undefined
      ? `it ended its thread (exit code ${code})`
      : `${error.name}: ${error.message}`
  return new ToolError('tool_crashed', `The tool crashed: ${reason}`, { cause: error })
}
