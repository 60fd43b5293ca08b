import type { Sweep } from '../core/work-ports.ts'

export interface Sweeps {
  /** Look now, as something may have changed. */
  wake(name: string): void
  stop(): Promise<void>
}

/**
 * Runs each sweep repeatedly, never twice at once, and continues after an error: work missed this
 * time is found the next. Every node sweeps; guarded statements make the changes, so that two nodes
 * that find the same work do it once.
 */
export function startSweeps(
  sweeps: readonly Sweep[],
  onWarning: (message: string) => void,
): Sweeps {
  const running = new Map(sweeps.map((sweep) => [sweep.name, startSweep(sweep, onWarning)]))
  return {
    wake: (name) => running.get(name)?.wake(),
    async stop() {
      await Promise.all([...running.values()].map((sweep) => sweep.stop()))
    },
  }
}

function startSweep(sweep: Sweep, onWarning: (message: string) => void) {
  const state = { isAgain: false, isStopped: false }
  let current: Promise<void> | undefined
  const look = async () => {
    do {
      state.isAgain = false
      try {
        if ((await sweep.run()) > 0) state.isAgain = true
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        onWarning(`Looking for ${sweep.name} failed: ${reason}`)
        return
      }
    } while (state.isAgain && !state.isStopped)
  }
  const wake = () => {
    state.isAgain = true
    if (state.isStopped || current !== undefined) return
    current = look().finally(() => (current = undefined))
  }
  const timer = setInterval(wake, sweep.everyMs)
  timer.unref()
  return {
    wake,
    async stop() {
      state.isStopped = true
      clearInterval(timer)
      await current
    },
  }
}
