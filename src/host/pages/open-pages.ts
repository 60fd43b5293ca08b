import type { HostPages } from '../../core/host/host-pages.ts'
import type { ReadablePage } from '../../core/kernel/context/pages.ts'
import { createPageQueue, type PageJob } from './page-queue.ts'
import type { PageThread, PageThreadOptions } from './page-thread.ts'
import { createPageThreads } from './page-threads.ts'

export interface PagesOptions extends Partial<PageThreadOptions> {
  module: string
  /** How many pages are converted at once; more wait. */
  threads?: number
}

export interface OpenPages extends HostPages {
  close(): Promise<void>
}

/** More of a page is not looked at. */
const maxHtml = 2_000_000

/** Converts pages in a few threads. One that died is replaced. */
export function openPages({
  threads: count = 2,
  deadlineMs = 5000,
  memoryMb = 512,
  module,
}: PagesOptions): OpenPages {
  const threads = createPageThreads(count, { module, deadlineMs, memoryMb })
  const queue = createPageQueue()

  function startNext(): void {
    const thread = queue.isEmpty ? undefined : threads.take()
    if (thread === undefined) return
    const job = queue.take()
    if (job === undefined) threads.giveBack(thread)
    else void run(thread, job)
  }

  async function run(thread: PageThread, { order, signal, settle }: PageJob): Promise<void> {
    try {
      settle.resolve(await thread.convert(order, signal))
    } catch (error) {
      settle.reject(error)
    }
    threads.giveBack(thread)
    startNext()
  }

  return {
    pagesFor: (tenant) => ({
      async convert(html, { signal, url, format }) {
        signal?.throwIfAborted()
        const settle = Promise.withResolvers<ReadablePage>()
        const job = { order: { html: html.slice(0, maxHtml), url, format }, signal, settle }
        queue.add(tenant, job)
        startNext()
        const page = await settled(job)
        return html.length > maxHtml ? { ...page, isPartial: true } : page
      },
    }),
    async close() {
      queue.clear()
      await threads.close()
    },
  }
}

/** A call that ends while its page waits for a thread does not wait for its turn. */
async function settled({ settle, signal }: PageJob): Promise<ReadablePage> {
  const onAbort = () => settle.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await settle.promise
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
