import { findPercentile, readPaceSubject } from './pace.ts'
import { maxUsageRows, toUsageDay } from './usage.ts'
import type { ToolUsage, UsageFigures } from './usage.ts'

const dayMs = 86_400_000

/** Figures of one subject on one day. */
export interface DayFigures extends UsageFigures {
  day: string
  subject: string
}

interface Days {
  from: string
  to: string
}

/** Combines the daily figures of tools and their pace: the most used first. */
export function toToolUsage(
  tools: readonly DayFigures[],
  pace: readonly Pick<DayFigures, 'subject' | 'calls'>[],
  days: Days,
): ToolUsage[] {
  const spans = spansByTool(pace)
  const byTool = Map.groupBy(tools, ({ subject }) => subject)
  const sum = (rows: readonly DayFigures[], name: Exclude<keyof UsageFigures, 'cost'>) =>
    rows.reduce((total, row) => total + row[name], 0)
  return [...byTool]
    .map(([tool, rows]): ToolUsage => {
      const p95Ms = findPercentile(spans.get(tool) ?? new Map(), 0.95)
      return {
        tool,
        calls: sum(rows, 'calls'),
        completed: sum(rows, 'completed'),
        failed: sum(rows, 'failed'),
        denied: sum(rows, 'denied'),
        cancelled: sum(rows, 'cancelled'),
        ...(p95Ms !== undefined && { p95Ms }),
        days: callsByDay(rows, days),
      }
    })
    .toSorted((left, right) => right.calls - left.calls || (left.tool < right.tool ? -1 : 1))
    .slice(0, maxUsageRows)
}

function spansByTool(
  pace: readonly Pick<DayFigures, 'subject' | 'calls'>[],
): Map<string, Map<number, number>> {
  const spans = new Map<string, Map<number, number>>()
  for (const { subject, calls } of pace) {
    const { tool, span } = readPaceSubject(subject)
    const own = spans.get(tool) ?? new Map<number, number>()
    own.set(span, (own.get(span) ?? 0) + calls)
    spans.set(tool, own)
  }
  return spans
}

function callsByDay(rows: readonly DayFigures[], { from, to }: Days): number[] {
  const calls = new Map(rows.map((row) => [row.day, row.calls]))
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  return Array.from(
    { length: count },
    (_, index) => calls.get(toUsageDay(Date.parse(from) + index * dayMs)) ?? 0,
  )
}
