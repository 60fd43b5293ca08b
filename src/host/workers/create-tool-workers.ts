import type { ToolIsolator } from '../../core/isolate-tool.ts'
import { createToolWorker, type ToolWorker, type ToolWorkerOptions } from './tool-worker.ts'
import { runOnWorker } from './worker-run.ts'

export interface ToolWorkersOptions extends ToolWorkerOptions {
  /** How many calls run in workers at once; more wait. */
  workers: number
}

/** An idle worker is ended after this time: it holds its modules in memory. */
const idleMs = 60_000

/** A small pool of threads, started when they are first needed, each with one call at a time. */
export function createToolWorkers(options: ToolWorkersOptions): ToolIsolator {
  const all = new Set<ToolWorker>()
  const idle = new Map<ToolWorker, ReturnType<typeof setTimeout>>()
  const waiting: Waiting[] = []
  /** Calls that wait for a tool they called: that one may need a worker, too. */
  let calling = 0
  const hasRoom = () => all.size - calling < options.workers

  function start(): ToolWorker {
    const worker = createToolWorker(options, () => {
      all.delete(worker)
      clearTimeout(idle.get(worker))
      idle.delete(worker)
      startNext()
    })
    all.add(worker)
    return worker
  }

  function startNext(): void {
    const next = hasRoom() ? waiting.shift() : undefined
    if (next !== undefined) next(start())
  }

  function onCalling(): () => void {
    calling += 1
    startNext()
    return () => (calling -= 1)
  }

  function take(signal: AbortSignal): ToolWorker | Promise<ToolWorker> {
    const [free] = idle
    if (free !== undefined) {
      const [worker, timer] = free
      clearTimeout(timer)
      idle.delete(worker)
      return worker
    }
    if (hasRoom()) return start()
    return waitIn(waiting, signal)
  }

  function giveBack(worker: ToolWorker): void {
    if (worker.isOver) return
    const next = waiting.shift()
    if (next !== undefined) return next(worker)
    worker.setBusy(false)
    if (all.size > options.workers) return void worker.terminate()
    idle.set(worker, setTimeout(() => void worker.terminate(), idleMs).unref())
  }

  return {
    async *run(place, input, context) {
      const worker = await take(context.signal)
      worker.setBusy(true)
      try {
        return yield* runOnWorker(worker, { place, input, onCalling }, context)
      } finally {
        giveBack(worker)
      }
    },
    async close() {
      waiting.length = 0
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

type Waiting = (worker: ToolWorker) => void

/** Until a worker is free, or the call has ended. */
function waitIn(waiting: Waiting[], signal: AbortSignal): Promise<ToolWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<ToolWorker>()
  const leave = () => {
    const index = waiting.indexOf(resolve)
    if (index >= 0) waiting.splice(index, 1)
    reject(signal.reason as Error)
  }
  waiting.push(resolve)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', leave))
}
