import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './engine.ts'

/** The time of the database inside of a statement, given `leastNow` as a parameter. */
export function toNowMs(parameter: string): string {
  return `greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, ${parameter}::bigint)`
}

/** The same for the query builder. */
export function nowMs(engine: Pick<Engine, 'kind' | 'now'>): RawBuilder<number> {
  return sql<number>`greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, ${leastNow(engine)}::bigint)`
}

/**
 * An embedded database reads the clock of the machine, which may have been put back, and then a lease
 * would last until the two have met. A server knows its time better than a node remembers it: one that
 * remembers it wrongly would take the leases of others early.
 */
export function leastNow({ kind, now }: Pick<Engine, 'kind' | 'now'>): number {
  return kind === 'pglite' ? now() : 0
}
