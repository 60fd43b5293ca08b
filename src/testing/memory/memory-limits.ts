import type { LimitStore, TellingPeriod } from '../../core/limits/limit-store.ts'
import { createLocalCounts } from '../../core/limits/local-counts.ts'
import type { EventLog } from '../../core/events/event-log.ts'

/** Limits in memory: the same counts as an embedded store has. */
export function createMemoryLimits(events: EventLog): LimitStore {
  const told = new Map<string, string>()
  return {
    ...createLocalCounts(),
    async tellOnce({ tenant, limit, measure, subject }, period, { principal, event }) {
      const key = [tenant, limit, measure, subject].join('\n')
      const start = new Date().toISOString().slice(0, lengths[period])
      if (told.get(key) === start) return false
      told.set(key, start)
      await events.record([{ tenant, principal, events: [event] }])
      return true
    },
  }
}

/** How much of an ISO time names its period. */
const lengths: Readonly<Record<TellingPeriod, number>> = { minute: 16, day: 10, month: 7 }
