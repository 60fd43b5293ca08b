import type { CribEvent } from '../../core/events/event.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { foldUsage } from '../../core/usage/fold-usage.ts'
import type { UsageAddition } from '../../core/usage/fold-usage.ts'
import { toToolUsage } from '../../core/usage/to-tool-usage.ts'
import { noUsage } from '../../core/usage/usage.ts'
import type { UsageFigures, UsageStore } from '../../core/usage/usage.ts'

/** Figures in memory: the fold over all events, made anew each time somebody looks. */
export function createMemoryUsage(events: EventLog): UsageStore {
  const fold = async (tenant: string) => {
    const { items } = await events.read(tenant, { limit: Number.MAX_SAFE_INTEGER })
    return foldUsage(items satisfies CribEvent[])
  }
  return {
    async read(tenant, { from, to, by }) {
      const kind = by === 'day' ? 'tenant' : by
      const rows = new Map<string, UsageFigures>()
      for (const row of await fold(tenant)) {
        if (row.kind !== kind || row.day < from || row.day > to) continue
        const subject = by === 'day' ? row.day : row.subject
        rows.set(subject, sum(rows.get(subject) ?? noUsage, row))
      }
      const all = [...rows].map(([subject, figures]) => ({ subject, ...figures }))
      const bySubject = all.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
      return by === 'day' ? bySubject : bySubject.toSorted((a, b) => b.calls - a.calls)
    },
    async readTools(tenant, days) {
      const rows = (await fold(tenant)).filter(({ day }) => day >= days.from && day <= days.to)
      const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted)
      return toToolUsage(of('tool'), of('pace'), days)
    },
    async total(tenant, day, { kind, id }) {
      const rows = await fold(tenant)
      const found = rows.find((row) => row.kind === kind && row.day === day && row.subject === id)
      return sum(noUsage, found ?? noUsage)
    },
  }
}

function sum(left: UsageFigures, right: UsageFigures | UsageAddition): UsageFigures {
  const names = Object.keys(noUsage) as (keyof UsageFigures)[]
  return Object.fromEntries(names.map((name) => [name, left[name] + right[name]])) as never
}
