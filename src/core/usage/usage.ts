/**
 * What figures are kept by. `tenant` is all of it together; `pace` counts the calls of a tool by how
 * long they ran (`pace.ts`).
 */
export const usageKinds = ['tenant', 'tool', 'agent', 'principal', 'pace'] as const

export type UsageKind = (typeof usageKinds)[number]

/** How a reading is grouped. */
export const usageGroupings = ['day', 'tool', 'agent', 'principal'] as const

export type UsageGrouping = (typeof usageGroupings)[number]

/** What was used. Calls count once they have settled, on the day (UTC) they did. */
export interface UsageFigures {
  calls: number
  completed: number
  failed: number
  denied: number
  cancelled: number
  /** From the start of the last attempt to the end; what waited for its turn does not count. */
  runMs: number
  /** UTF-8 bytes of the whole output, also of what went into an artifact. */
  outputBytes: number
  /** Units, as tools declare or report them. */
  cost: number
}

/** Figures of one day, tool, agent or principal (`kind:id`). */
export interface UsageRow extends UsageFigures {
  subject: string
  /** What a person or key is called, where that is known. */
  name?: string
}

/** Days as `YYYY-MM-DD`, both included. */
export interface UsageQuery {
  from: string
  to: string
  by: UsageGrouping
}

/** Whose figures: those of the whole tenant, or of one tool, agent or principal (`kind:id`). */
export interface UsageSubject {
  kind: UsageKind
  /** Empty for the whole tenant. */
  id: string
}

/**
 * Daily figures, folded from the event feed about a second after the fact, each call exactly once.
 * Read from here, never from calls: those go with retention, figures stay.
 */
export interface UsageStore {
  /** At most `maxUsageRows`: by day in order, others with the most calls first. */
  read(tenant: string, query: UsageQuery): Promise<UsageRow[]>
  /** The tools with the most calls, at most `maxUsageRows` of them. */
  readTools(tenant: string, days: { from: string; to: string }): Promise<ToolUsage[]>
  /** One lookup by key: what this subject used on that day (`YYYY-MM-DD`, UTC). */
  total(tenant: string, day: string, subject: UsageSubject): Promise<UsageFigures>
}

export const maxUsageRows = 1000

/** How one tool was used over some days. */
export interface ToolUsage {
  tool: string
  calls: number
  completed: number
  failed: number
  denied: number
  cancelled: number
  /** So long or shorter 95 of 100 calls that ran took, to within a fifth; absent where none ran. */
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

/** The day of a moment, in UTC. */
export function toUsageDay(ms: number): string {
  const number = Math.floor(ms / dayMs)
  if (number !== lastDay.number) {
    lastDay = { number, text: new Date(ms).toISOString().slice(0, 10) }
  }
  return lastDay.text
}

const dayMs = 86_400_000
/** Events come day after day, thousands of them on each. */
let lastDay = { number: Number.NaN, text: '' }
