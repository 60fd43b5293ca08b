/** Whose calls are counted together. */
export const limitSubjects = ['tenant', 'agent', 'key', 'member', 'tool'] as const

export type LimitSubject = (typeof limitSubjects)[number]

/** What is counted. Each is a number that a limit may set. */
export const limitMeasures = [
  'callsPerMinute',
  'concurrent',
  'outputBytesPerDay',
  'costPerDay',
  'costPerMonth',
] as const

export type LimitMeasure = (typeof limitMeasures)[number]

/** What is bounded by what was used up, not by what runs. */
export type BudgetMeasure = Exclude<LimitMeasure, 'callsPerMinute' | 'concurrent'>

export const budgetMeasures = [
  'outputBytesPerDay',
  'costPerDay',
  'costPerMonth',
] as const satisfies readonly BudgetMeasure[]

/** A limit as it is written. Every subject that fits is counted by itself; 0 allows nothing. */
export interface LimitSpec extends Partial<Record<LimitMeasure, number>> {
  of: LimitSubject
  /** Which of them: an id, or a pattern; all when left out. */
  match?: string
  /** Counts calls of these tools alone, together. */
  tools?: readonly string[]
}

/** The counts of a limit that the configuration sets for every tenant are stored under this and its name. */
export const globalPrefix = 'global:'
