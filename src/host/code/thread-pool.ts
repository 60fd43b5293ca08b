import { ToolError } from '../../core/kernel/errors.ts'
import { type CodeThread, type CodeThreadOptions, createCodeThread } from './code-thread.ts'

export interface ThreadPoolOptions extends CodeThreadOptions {
  /** Programs that run at once. */
  programs: number
  /** How long one may wait for its turn. */
  waitMs: number
}

interface Waiting {
  tenant: string
  turn: PromiseWithResolvers<CodeThread>
}

/** An idle thread holds its engine in memory. */
const idleMs = 300_000

/** Threads, each lent to one program. Started when they are first needed, and kept for a while. */
export class ThreadPool {
  readonly #options: ThreadPoolOptions
  /** Others find a free thread, however many programs one tenant starts. */
  readonly #ofTenant: number
  readonly #all = new Set<CodeThread>()
  readonly #idle = new Map<CodeThread, NodeJS.Timeout>()
  readonly #held = new Map<string, number>()
  readonly #queue: Waiting[] = []

  constructor(options: ThreadPoolOptions) {
    this.#options = options
    this.#ofTenant = Math.max(1, Math.ceil(options.programs / 2))
  }

  /** Waits for its turn. Throws `rate_limited` when that takes too long, or the reason of the signal. */
  async take(tenant: string, signal: AbortSignal): Promise<CodeThread> {
    signal.throwIfAborted()
    const found = this.#find(tenant)
    if (found !== undefined) return found
    const waiting = { tenant, turn: Promise.withResolvers<CodeThread>() }
    const leave = (reason: unknown) => {
      const at = this.#queue.indexOf(waiting)
      if (at >= 0) this.#queue.splice(at, 1)
      waiting.turn.reject(reason)
    }
    const onAbort = () => leave(signal.reason)
    const timer = setTimeout(() => leave(busy()), this.#options.waitMs)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#queue.push(waiting)
    try {
      return await waiting.turn.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  giveBack(tenant: string, thread: CodeThread): void {
    const left = (this.#held.get(tenant) ?? 1) - 1
    if (left > 0) this.#held.set(tenant, left)
    else this.#held.delete(tenant)
    if (thread.isOver) this.#all.delete(thread)
    else this.#idle.set(thread, setTimeout(() => this.#drop(thread), idleMs).unref())
    this.#serveNext()
  }

  async close(): Promise<void> {
    for (const timer of this.#idle.values()) clearTimeout(timer)
    this.#idle.clear()
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  #find(tenant: string): CodeThread | undefined {
    const count = this.#held.get(tenant) ?? 0
    if (count >= this.#ofTenant) return undefined
    const thread = this.#takeIdle() ?? this.#start()
    if (thread !== undefined) this.#held.set(tenant, count + 1)
    return thread
  }

  #takeIdle(): CodeThread | undefined {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(thread)
      if (!thread.isOver) return thread
      this.#all.delete(thread)
    }
    return undefined
  }

  #start(): CodeThread | undefined {
    if (this.#all.size >= this.#options.programs) return undefined
    const thread = createCodeThread(this.#options)
    this.#all.add(thread)
    return thread
  }

  #serveNext(): void {
    for (const [at, { tenant, turn }] of this.#queue.entries()) {
      const thread = this.#find(tenant)
      if (thread === undefined) continue
      this.#queue.splice(at, 1)
      turn.resolve(thread)
      return
    }
  }

  #drop(thread: CodeThread): void {
    this.#idle.delete(thread)
    this.#all.delete(thread)
    void thread.end()
  }
}

/** Programs that call programs could otherwise wait for each other for ever. */
function busy(): ToolError {
  return new ToolError('rate_limited', 'Too many programs run at the moment', {
    fix: 'Try again later, or raise code.programs in the configuration.',
  })
}
