/** Something to wait on: a wake before the wait is not lost. */
export interface WakeUp {
  wake(): void
  /** Resolves at the next wake, true, or when the time is up, false. One waiter at a time. */
  wait(timeoutMs: number): Promise<boolean>
}

/** Opens a wake-up. */
export function createWakeUp(): WakeUp {
  let isAwake = false
  let resume: ((woken: boolean) => void) | undefined
  return {
    wake() {
      isAwake = true
      resume?.(true)
    },
    async wait(timeoutMs) {
      if (!isAwake) {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        resume = resolve
        const timer = setTimeout(resolve, timeoutMs, false)
        const woken = await promise
        clearTimeout(timer)
        resume = undefined
        if (!woken) return false
      }
      isAwake = false
      return true
    },
  }
}
