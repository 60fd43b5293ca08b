import { Worker } from 'node:worker_threads'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ApiReader, DocumentBytes } from '../../features/apis/api-reader.ts'
import type { ReadAnswer } from '../../features/apis/document/worker-messages.ts'
import type { ReadOperation, ReadApi } from '../../features/apis/model.ts'

/** Beside us the files end in .ts in a checkout and in .js once built. */
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const workerModule = new URL(`./api-worker${ending}`, import.meta.url).href

const start = `const { workerData } = require('node:worker_threads')
import(workerData.module).then((module) => module.startApiWorker())`

interface ReaderOptions {
  /** For one document. */
  deadlineMs?: number
  memoryMb?: number
}

/** More documents at once would take the memory of the server. */
const readAtOnce = 2
const mostWaiting = 20
/** To load the modules, on a machine with much else to do. */
const loadMs = 30_000

/** Reads each document in a thread of its own, which takes its memory along when it ends. */
export function openApiReader({
  deadlineMs = 30_000,
  memoryMb = 1024,
}: ReaderOptions = {}): ApiReader {
  const waiting: (() => void)[] = []
  let running = 0
  async function enter(): Promise<void> {
    if (running < readAtOnce) return void (running += 1)
    if (waiting.length >= mostWaiting) throw tooMany()
    // The next reading gets the place of one that has ended.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async read(document, signal) {
      signal?.throwIfAborted()
      await enter()
      try {
        return await readInThread(document, { deadlineMs, memoryMb, signal })
      } finally {
        leave()
      }
    },
  }
}

interface Reading extends Required<ReaderOptions> {
  signal: AbortSignal | undefined
}

async function readInThread(document: DocumentBytes, reading: Reading): Promise<ReadApi> {
  const { deadlineMs, memoryMb, signal } = reading
  const { promise, resolve, reject } = Promise.withResolvers<ReadApi>()
  const worker = new Worker(start, {
    eval: true,
    execArgv: [],
    workerData: { module: workerModule },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const late = () => reject(tooHeavy(`takes longer than ${deadlineMs / 1000} seconds`))
  let timer = setTimeout(late, loadMs)
  const taken = createTaken()
  worker.on('message', (answer: ReadAnswer) => {
    if (answer.kind === 'begun') {
      clearTimeout(timer)
      timer = setTimeout(late, deadlineMs)
    } else if (answer.kind === 'failed') {
      const { code, message, fix } = answer
      reject(new ToolError(code, message, { ...(fix !== undefined && { fix }) }))
    } else taken.take(answer, resolve)
  })
  worker.on('error', (error: Error & { code?: string }) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? tooHeavy(`needs more than ${memoryMb} MB`)
        : tooHeavy(`fails: ${error.message}`),
    ),
  )
  worker.once('exit', () => reject(tooHeavy('ended early')))
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    worker.postMessage(document, [document.bytes.buffer as ArrayBuffer])
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

/** Puts the pieces of an answer together. */
function createTaken() {
  const operations: ReadOperation[] = []
  let api: Omit<ReadApi, 'operations'> | undefined
  return {
    take(answer: ReadAnswer, done: (api: ReadApi) => void): void {
      if (answer.kind === 'api') api = answer.api
      if (answer.kind === 'operations') operations.push(...answer.operations)
      if (answer.kind === 'done' && api !== undefined) done({ ...api, operations })
    },
  }
}

function tooHeavy(reason: string): ToolError {
  return new ToolError('invalid_request', `Reading the document ${reason}`, {
    fix: 'Leave out the paths you do not need; JSON is read much faster than YAML.',
  })
}

function tooMany(): ToolError {
  return new ToolError('rate_limited', 'Too many documents are being read already', {
    fix: 'Wait until one of them has been read.',
    retryable: true,
  })
}
