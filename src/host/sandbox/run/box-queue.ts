import { ToolError } from '../../../core/kernel/errors.ts'

/** Lets a number of commands run at once, and takes tenants in turn when more want to. */
export interface BoxQueue {
  /** Resolves with the function that ends the turn. Rejects when the signal aborts. */
  enter(tenant: string, signal?: AbortSignal): Promise<() => void>
  readonly running: number
  readonly waiting: number
}

interface QueueOptions {
  maxRunning: number
  maxPerTenant: number
  /** More are refused: their callers would wait for longer than they have. */
  maxWaiting: number
}

interface Waiting {
  tenant: string
  start(): void
}

/** In order of arrival within a tenant. Between tenants, the one with the fewest running is next. */
export function createBoxQueue({ maxRunning, maxPerTenant, maxWaiting }: QueueOptions): BoxQueue {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  let total = 0
  const countOf = (tenant: string) => running.get(tenant) ?? 0
  const mayRun = (tenant: string) => total < maxRunning && countOf(tenant) < maxPerTenant

  function begin(tenant: string): () => void {
    total += 1
    running.set(tenant, countOf(tenant) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      total -= 1
      const left = countOf(tenant) - 1
      if (left > 0) running.set(tenant, left)
      else running.delete(tenant)
      startNext()
    }
  }

  function startNext(): void {
    const able = waiting.filter(({ tenant }) => mayRun(tenant))
    const [first, ...others] = able
    if (first === undefined) return
    const next = others.reduce(
      (best, other) => (countOf(other.tenant) < countOf(best.tenant) ? other : best),
      first,
    )
    waiting.splice(waiting.indexOf(next), 1)
    next.start()
  }

  return {
    get running() {
      return total
    },
    get waiting() {
      return waiting.length
    },
    async enter(tenant, signal) {
      signal?.throwIfAborted()
      if (mayRun(tenant)) return begin(tenant)
      if (waiting.length >= maxWaiting) {
        throw new ToolError('rate_limited', `${waiting.length} commands wait already`, {
          fix: 'Try again in a moment.',
        })
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const entry = { tenant, start: () => resolve(begin(tenant)) }
      const leave = () => {
        const index = waiting.indexOf(entry)
        if (index >= 0) waiting.splice(index, 1)
        reject(signal?.reason as Error)
      }
      waiting.push(entry)
      signal?.addEventListener('abort', leave, { once: true })
      return promise.finally(() => signal?.removeEventListener('abort', leave))
    },
  }
}
