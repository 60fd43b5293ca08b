import { createTurns } from '../kernel/map-in-turns.ts'

/** Where readers of old events wait for their next page. */
export interface ReplayGate {
  /** Reads a page when it is this tenant's turn. */
  read<T>(tenant: string, work: () => Promise<T>): Promise<T>
  /** A turn of the event loop before a page from memory is handed out. */
  turn(): Promise<void>
}

/** Enough to keep a database busy, few enough to leave connections to everybody else. */
const readAtOnce = 4

/**
 * Old events are read a page at a time, each in a turn of the event loop of its own, a few at once
 * on the whole node, and tenants take turns: however many readers come for however much, everything
 * else is answered in between.
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

  /** To whoever waits longest of the tenant whose turn it is; that tenant comes last then. */
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
