import { parentPort } from 'node:worker_threads'
import type { ReadablePage, ReadablePageOptions } from '../../core/kernel/context/pages.ts'
import { toReadable } from './to-readable.ts'

export interface PageOrder extends Omit<ReadablePageOptions, 'signal'> {
  html: string
}

export type PageAnswer =
  /** The deadline counts from here: loading the modules takes its time once. */
  { kind: 'begun' } | { kind: 'done'; page: ReadablePage } | { kind: 'failed'; message: string }

/** Runs in the thread that converts pages. */
export function startPageWorker(): void {
  if (parentPort === null) throw new Error('startPageWorker runs in a worker thread')
  const port = parentPort
  const send = (answer: PageAnswer) => port.postMessage(answer, [])
  port.on('message', ({ html, ...options }: PageOrder) => {
    send({ kind: 'begun' })
    send(answerTo(html, options))
  })
}

function answerTo(html: string, options: Omit<PageOrder, 'html'>): PageAnswer {
  try {
    return { kind: 'done', page: toReadable(html, options) }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}
