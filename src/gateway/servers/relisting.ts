import { createBackoff } from './backoff.ts'

/** Asks again for a list that did not come, ever later. */
export interface Relisting {
  /** When the next try is; undefined where the last one went well. */
  readonly retryAt: number | undefined
  /** How the last try went; `again` is run when it is time, where it did not go well. */
  note(hasFailed: boolean, again: () => void): void
  close(): void
}

export function createRelisting(now: () => number): Relisting {
  const backoff = createBackoff(now)
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    get retryAt() {
      return backoff.failures > 0 ? backoff.retryAt : undefined
    },
    note(hasFailed, again) {
      clearTimeout(timer)
      if (!hasFailed) return backoff.succeed()
      backoff.fail()
      timer = setTimeout(again, backoff.retryAt - now()).unref()
    },
    close: () => clearTimeout(timer),
  }
}
