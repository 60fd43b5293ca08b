import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait before the next try: from a quarter of a second, doubling, five seconds at most. */
export function backoffMs(failures: number): number {
  return Math.min(250 * 2 ** Math.min(failures, 10), 5_000)
}

/** Waits; an abort ends the wait and is thrown. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal })
}
