import type { LimitSubject } from './limit.ts'

/**
 * The subject of figures: the whole tenant (no id), a tool, an agent, or a principal (`kind:id`).
 */
export interface UsageOf {
  kind: 'tenant' | 'tool' | 'agent' | 'principal'
  id: string
}

/** The usage that budgets measure. */
export interface Spent {
  outputBytes: number
  cost: number
}

/** Recorded usage, by day (`YYYY-MM-DD`, UTC). */
export interface UsageTotals {
  total(tenant: string, day: string, of: UsageOf): Promise<Spent>
  /** The subjects with the most calls. */
  read(
    tenant: string,
    query: { from: string; to: string; by: 'tool' | 'agent' | 'principal' },
  ): Promise<(Spent & { subject: string })[]>
}

/** The figures of a limit's subject: `key:abc`. */
export function toUsageOf(kind: LimitSubject, id: string): UsageOf {
  if (kind === 'tenant') return { kind, id: '' }
  if (kind === 'key') return { kind: 'principal', id: `key:${id}` }
  if (kind === 'member') return { kind: 'principal', id: `user:${id}` }
  return { kind, id }
}
