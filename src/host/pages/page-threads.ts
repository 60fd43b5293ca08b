import { createPageThread, type PageThread, type PageThreadOptions } from './page-thread.ts'

/** Threads, started when they are first needed, and ended when they have had nothing to do. */
export interface PageThreads {
  /** An idle one or a new one, unless all are busy. */
  take(): PageThread | undefined
  giveBack(thread: PageThread): void
  close(): Promise<void>
}

/** An idle thread holds its modules in memory. */
const idleMs = 60_000

export function createPageThreads(count: number, options: PageThreadOptions): PageThreads {
  const all = new Set<PageThread>()
  const idle = new Map<PageThread, NodeJS.Timeout>()

  function takeIdle(): PageThread | undefined {
    for (const [thread, timer] of idle) {
      clearTimeout(timer)
      idle.delete(thread)
      if (!thread.isOver) return thread
      all.delete(thread)
    }
    return undefined
  }

  function start(): PageThread | undefined {
    if (all.size >= count) return undefined
    const thread = createPageThread(options)
    all.add(thread)
    return thread
  }

  function drop(thread: PageThread): void {
    idle.delete(thread)
    all.delete(thread)
    void thread.end()
  }

  return {
    take: () => takeIdle() ?? start(),
    giveBack(thread) {
      if (thread.isOver) all.delete(thread)
      else idle.set(thread, setTimeout(drop, idleMs, thread).unref())
    },
    async close() {
      for (const timer of idle.values()) clearTimeout(timer)
      idle.clear()
      await Promise.all([...all].map((thread) => thread.end()))
    },
  }
}
