/** Queues callers for something that others hold. */
export interface Turns {
  /** Resolves when it is worth looking again; rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void>
  /** Something was given back. */
  next(): void
}

export function createTurns(): Turns {
  let waiting = new Set<() => void>()
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const go = () => {
          signal.removeEventListener('abort', stop)
          resolve()
        }
        const stop = () => {
          waiting.delete(go)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', stop, { once: true })
        waiting.add(go)
      }),
    next() {
      // In order of arrival; a caller for whom nothing is free keeps waiting, behind those that
      // came since.
      const all = waiting
      waiting = new Set()
      for (const go of all) go()
    },
  }
}
