/** Passes on what comes often, ever less often; the newest stands for all before it. */
export interface ThinnedOut<T> {
  add(value: T): void
  /** Stops reporting. */
  end(): void
}

/** One in this time, doubling with every fifty: all of it is stored, and somebody may yield for ever. */
const firstIntervalMs = 100
const toldPerInterval = 50
const longestIntervalMs = 60_000

export function createThinnedOut<T>(tell: (value: T) => void): ThinnedOut<T> {
  let newest: { value: T } | undefined
  let timer: NodeJS.Timeout | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let told = 0

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (newest === undefined) return
    const { value } = newest
    newest = undefined
    told += 1
    lastAt = performance.now()
    tell(value)
  }
  return {
    add(value) {
      newest = { value }
      const intervalMs = firstIntervalMs * 2 ** Math.floor(told / toldPerInterval)
      const waitMs = Math.min(longestIntervalMs, intervalMs) - (performance.now() - lastAt)
      if (waitMs <= 0) flush()
      // The last update before a long silence is reported too.
      else timer ??= setTimeout(flush, waitMs)
    },
    end() {
      clearTimeout(timer)
      newest = undefined
    },
  }
}
