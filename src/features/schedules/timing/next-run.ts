import { lastCronMs, nextCronMs } from './cron-time.ts'
import type { Timing } from './timing.ts'

/** The first time after `afterMs` at which it runs; undefined when there is none. */
export function nextRun(timing: Timing, afterMs: number): number | undefined {
  if (timing.kind === 'at') return timing.atMs > afterMs ? timing.atMs : undefined
  if (timing.kind === 'cron') return nextCronMs(timing.cron, timing.timezone, afterMs)
  const { everyMs, anchorMs } = timing
  if (afterMs < anchorMs) return anchorMs
  return anchorMs + (Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs
}

/** The next few times after `afterMs`; fewer where there are no more. */
export function nextRuns(timing: Timing, afterMs: number, count: number): number[] {
  const times: number[] = []
  let atMs = nextRun(timing, afterMs)
  while (atMs !== undefined && times.length < count) {
    times.push(atMs)
    atMs = nextRun(timing, atMs)
  }
  return times
}

/** The action for a schedule that is due. */
export interface PlannedFire {
  /** The latest due time, for which this run is made. */
  dueMs: number
  /** Earlier times that were missed; counted up to `countMissedTo`. */
  missed: number
  nextMs: number | undefined
}

/** After a year offline, an exact count would cost more than it is worth. */
export const countMissedTo = 100

/**
 * However many times have passed since `firstMs` was due, one run is made: for the latest of them.
 * The next one lies after both `nowMs` and that time, so no moment is ever used twice.
 */
export function planFire(timing: Timing, firstMs: number, nowMs: number): PlannedFire {
  let dueMs = firstMs
  let missed = 0
  let nextMs = nextRun(timing, dueMs)
  while (nextMs !== undefined && nextMs <= nowMs && missed < countMissedTo) {
    dueMs = nextMs
    missed += 1
    nextMs = nextRun(timing, dueMs)
  }
  if (nextMs === undefined || nextMs > nowMs) return { dueMs, missed, nextMs }
  dueMs = Math.max(dueMs, lastRun(timing, nowMs))
  return { dueMs, missed, nextMs: nextRun(timing, Math.max(dueMs, nowMs)) }
}

/** The last time up to `untilMs` at which it ran, or should have. */
function lastRun(timing: Timing, untilMs: number): number {
  if (timing.kind === 'at') return timing.atMs
  if (timing.kind === 'cron') return lastCronMs(timing.cron, timing.timezone, untilMs)
  const { everyMs, anchorMs } = timing
  return anchorMs + Math.floor((untilMs - anchorMs) / everyMs) * everyMs
}
