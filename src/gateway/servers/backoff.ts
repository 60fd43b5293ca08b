const firstMs = 1000
const longestMs = 300_000

export interface Backoff {
  readonly failures: number
  /** When it may be tried again: milliseconds since the epoch. */
  readonly retryAt: number
  fail(): void
  succeed(): void
}

/** Doubles from a second to five minutes, each time somewhere in the upper half, so that many do not come together. */
export function createBackoff(now: () => number, random: () => number = Math.random): Backoff {
  let failures = 0
  let retryAt = 0
  return {
    get failures() {
      return failures
    },
    get retryAt() {
      return retryAt
    },
    fail() {
      const longest = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20))
      failures += 1
      retryAt = now() + longest / 2 + (random() * longest) / 2
    },
    succeed() {
      failures = 0
      retryAt = 0
    },
  }
}
