import type { Principal } from '../call.ts'

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

/** A limit as it is shown. */
export interface Limit extends LimitSpec {
  name: string
  /** Configuration sets it for every tenant alike. */
  isGlobal: boolean
  isDeclared: boolean
  updatedAt?: string
  updatedBy?: Principal
  /** Why it lets nothing through, where what is stored can't be read. */
  closed?: string
}

/** How much one subject has used of a limit. */
export interface LimitUse {
  subject: string
  /** For each measure the limit sets. */
  used: Partial<Record<LimitMeasure, number>>
}

/** A limit with who has used most of it, those first. */
export interface LimitWithUse extends Limit {
  use: readonly LimitUse[]
  /** Whoever comes after these: ask for the limit itself, with this. */
  next?: string
}
