import { sql } from 'kysely'
import type { LimitStore } from '../../../core/limits/limit-store.ts'
import { createLocalCounts, type LocalCounts } from '../../../core/limits/local-counts.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import type { NodePresence } from '../../../store/log/node-presence.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import { createStoredCounts } from './stored-counts.ts'

/**
 * Shared counts of limits. An embedded store has one process, so its memory holds the counts.
 * Warnings that were given are stored on both engines, so that a restart does not repeat them.
 */
export function createLimitStore(engine: Engine, presence: NodePresence): LimitStore {
  const counts: LocalCounts =
    engine.kind === 'pglite' ? createLocalCounts() : createStoredCounts(engine, presence)
  return {
    ...counts,
    tellOnce: (of, period, told) =>
      changeIn(engine, async (transaction) => {
        const { rows } = await sql`
          insert into limit_notices values (${toStoredText(of.tenant)}, ${of.limit}, ${of.measure},
            ${toStoredText(of.subject)}, date_trunc(${period}::text, now() at time zone 'UTC'))
          on conflict (tenant, limit_key, measure, subject) do update
            set period_start = excluded.period_start
            where limit_notices.period_start < excluded.period_start
          returning 1`.execute(transaction)
        if (rows.length === 0) return false
        await recordEvents(transaction, [{ tenant: of.tenant, ...told }])
        return true
      }),
    async forgetIdle() {
      const forgotten = await counts.forgetIdle()
      // The longest period is a month.
      await guarded(() =>
        sql`delete from limit_notices where period_start < now() at time zone 'UTC' - interval '40 days'`.execute(
          engine.db,
        ),
      )
      return forgotten
    },
  }
}
