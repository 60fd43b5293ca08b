import { createTurns } from '../kernel/map-in-turns.ts'

/** The queue in which readers of old events wait for their next page. */
export interface ReplayGate {
  /** Reads a page when it is this tenant's turn. */
  read<T>(tenant: string, work: () => Promise<T>): Promise<T>
  /** Yields one turn of the event loop before a page from memory is delivered. */
  turn(): Promise<void>
}

/** Enough to keep a database busy, few enough to leave connections for other work. */
const readAtOnce = 4

/**
 * Old events are read a page at a time, each in its own turn of the event loop, a few at once on
 * the whole node, and tenants take turns: however many readers there are, all other requests are
 * answered in between.
 */
export function createReplayGate(most: number = readAtOnce): ReplayGate {
  const turn = createTurns()
  const waiting = new Map<string, (() => void)[]>()
  let open = 0

  function enter(tenant: string): Promise<void> | undefined {
    if (open < most) {
      open += 1
      return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = waiting.get(tenant)
    if (queue === undefined) waiting.set(tenant, [resolve])
    else queue.push(resolve)
    return promise
  }

  /**
   * Passes the slot to the longest-waiting reader of the next tenant, which then moves to the end
   * of the queue.
   */
  function leave(): void {
    const [first] = waiting
    if (first === undefined) {
      open -= 1
      return
    }
    const [tenant, queue] = first
    const next = queue.shift()
    waiting.delete(tenant)
    if (queue.length > 0) waiting.set(tenant, queue)
    next?.()
  }

  return {
    turn,
    async read(tenant, work) {
      await enter(tenant)
      try {
        await turn()
        return await work()
      } finally {
        leave()
      }
    },
  }
}
