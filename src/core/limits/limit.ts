/** The subjects whose calls are counted together. */
export const limitSubjects = ['tenant', 'agent', 'key', 'member', 'tool'] as const

export type LimitSubject = (typeof limitSubjects)[number]

/** The measures of a limit. Each is a number that a limit may set. */
export const limitMeasures = [
  'callsPerMinute',
  'concurrent',
  'outputBytesPerDay',
  'costPerDay',
  'costPerMonth',
] as const

export type LimitMeasure = (typeof limitMeasures)[number]

/** Measures of accumulated usage, not of running calls. */
export type BudgetMeasure = Exclude<LimitMeasure, 'callsPerMinute' | 'concurrent'>

export const budgetMeasures = [
  'outputBytesPerDay',
  'costPerDay',
  'costPerMonth',
] as const satisfies readonly BudgetMeasure[]

/** A limit as written. Every matching subject is counted separately; 0 allows nothing. */
export interface LimitSpec extends Partial<Record<LimitMeasure, number>> {
  of: LimitSubject
  /** Which of them: an id, or a pattern; all if omitted. */
  match?: string
  /** Counts only calls of these tools, together. */
  tools?: readonly string[]
}

/** Prefix for the counts of limits that the configuration sets for every tenant. */
export const globalPrefix = 'global:'
