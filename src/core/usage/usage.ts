/**
 * The subjects of figures. `tenant` is the total; `pace` counts the calls of a tool by their
 * duration (`pace.ts`).
 */
export const usageKinds = ['tenant', 'tool', 'agent', 'principal', 'pace'] as const

export type UsageKind = (typeof usageKinds)[number]

/** The groupings of a query. */
export const usageGroupings = ['day', 'tool', 'agent', 'principal'] as const

export type UsageGrouping = (typeof usageGroupings)[number]

/** Usage. Calls count once they have settled, on the day (UTC) they did. */
export interface UsageFigures {
  calls: number
  completed: number
  failed: number
  denied: number
  cancelled: number
  /** From the start of the last attempt to the end; time in the queue does not count. */
  runMs: number
  /** UTF-8 bytes of the whole output, including the part in an artifact. */
  outputBytes: number
  /** Units, as tools declare or report them. */
  cost: number
}

/** Figures of one day, tool, agent or principal (`kind:id`). */
export interface UsageRow extends UsageFigures {
  subject: string
  /** The name of a person or key, if known. */
  name?: string
}

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface UsageQuery {
  from: string
  to: string
  by: UsageGrouping
}

/** The subject of the figures: the whole tenant, or one tool, agent or principal (`kind:id`). */
export interface UsageSubject {
  kind: UsageKind
  /** Empty for the whole tenant. */
  id: string
}

/**
 * Daily figures, folded from the event feed about a second later, each call exactly once. Always
 * read from here, never from calls: retention removes calls, but not figures.
 */
export interface UsageStore {
  /** At most `maxUsageRows`: sorted by day, or by the number of calls. */
  read(tenant: string, query: UsageQuery): Promise<UsageRow[]>
  /** The tools with the most calls, at most `maxUsageRows` of them. */
  readTools(tenant: string, days: { from: string; to: string }): Promise<ToolUsage[]>
  /** One lookup by key: the usage of this subject on that day (`YYYY-MM-DD`, UTC). */
  total(tenant: string, day: string, subject: UsageSubject): Promise<UsageFigures>
}

export const maxUsageRows = 1000

/** The usage of one tool over some days. */
export interface ToolUsage {
  tool: string
  calls: number
  completed: number
  failed: number
  denied: number
  cancelled: number
  /** 95 of 100 calls took at most this long, to within a fifth; absent without calls. */
  p95Ms?: number
  /** Calls of each day, the first day first. */
  days: readonly number[]
}

export const noUsage: Readonly<UsageFigures> = Object.freeze({
  calls: 0,
  completed: 0,
  failed: 0,
  denied: 0,
  cancelled: 0,
  runMs: 0,
  outputBytes: 0,
  cost: 0,
})

/** The day of a timestamp, in UTC. */
export function toUsageDay(ms: number): string {
  const number = Math.floor(ms / dayMs)
  if (number !== lastDay.number) {
    lastDay = { number, text: new Date(ms).toISOString().slice(0, 10) }
  }
  return lastDay.text
}

const dayMs = 86_400_000
/** Events are sorted by day, thousands of them on each. */
let lastDay = { number: Number.NaN, text: '' }
