import { isToolError } from '../kernel/errors.ts'

/** When queued calls that found no room come back. */
export interface Returns {
  /** Undefined for what is no refusal by a limit, and where there never will be room. */
  next(tenant: string, error: unknown): number | undefined
}

/** A limit may be raised meanwhile, so nobody stays away for longer. */
const longestMs = 300_000
const heldAtMost = 1000

/**
 * A thousand calls that wait for a limit of ten a minute must not all come back in a minute: the
 * how-manieth of them it is says in which minute its turn may be. `random` spreads them within it.
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
