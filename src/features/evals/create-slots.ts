/** Work that runs at once, by tenant: the rest waits in order. */
export interface Slots {
  /** Rejects without running the work if the signal aborts while it waits. */
  run<T>(tenant: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

interface Line {
  running: number
  waiting: Set<() => void>
}

/** Lets each tenant run so much at once. */
export function createSlots(atOnce: number): Slots {
  const lines = new Map<string, Line>()
  return {
    async run(tenant, signal, work) {
      const line = lines.get(tenant) ?? { running: 0, waiting: new Set() }
      lines.set(tenant, line)
      if (line.running < atOnce) line.running += 1
      else await enter(line, signal)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        const [next] = line.waiting
        // The next one takes over the slot.
        if (next !== undefined) next()
        else if ((line.running -= 1) === 0) lines.delete(tenant)
      }
    },
  }
}

function enter({ waiting }: Line, signal: AbortSignal): Promise<void> {
  const entered = Promise.withResolvers<void>()
  const leave = () => {
    waiting.delete(go)
    entered.reject(signal.reason)
  }
  const go = () => {
    waiting.delete(go)
    signal.removeEventListener('abort', leave)
    entered.resolve()
  }
  waiting.add(go)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  return entered.promise
}
