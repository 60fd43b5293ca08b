import { isToolError } from '../kernel/errors.ts'

/** Schedules retries of queued calls that a limit refused. */
export interface Returns {
  /** Undefined for errors that are not refusals by a limit, and if there will never be capacity. */
  next(tenant: string, error: unknown): number | undefined
}

/** The limit may be raised at any time, so no call waits longer before a retry. */
const longestMs = 300_000
const heldAtMost = 1000

/**
 * A thousand calls that wait for a limit of ten per minute must not all retry within a minute: the
 * position of a call decides in which minute it retries. `random` spreads them within it.
 */
export function createReturns(
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
): Returns {
  const refused = new Map<string, { count: number; since: number }>()
  return {
    next(tenant, error) {
      if (!isToolError(error) || error.details['limit'] === undefined) return undefined
      const { limit, subject, measure, most, retryAfterMs } = error.details
      if (typeof retryAfterMs !== 'number' || typeof most !== 'number') return undefined
      const key = JSON.stringify([tenant, limit, measure, subject])
      const periodMs = measure === 'concurrent' ? 1000 : 60_000
      const known = refused.get(key)
      const isOver = known === undefined || now() - known.since >= periodMs
      const entry = isOver ? { count: 0, since: now() } : known
      if (refused.size >= heldAtMost && isOver) refused.clear()
      refused.set(key, entry)
      const periods = Math.floor(entry.count / Math.max(1, most))
      entry.count += 1
      const delay = Math.min(retryAfterMs + periods * periodMs, longestMs)
      return Math.round(delay + random() * Math.min(5000, 100 + delay / 4))
    },
  }
}
