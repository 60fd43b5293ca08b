import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { UsageAddition } from '../../core/usage/fold-usage.ts'
import { toStoredText } from '../log/stored-text.ts'
import type { Tables } from '../tables.ts'

/** Adds to daily figures, in the caller's transaction, which ensures that it happens once. */
export async function addUsage(
  transaction: Transaction<Tables>,
  tenant: string,
  additions: readonly UsageAddition[],
): Promise<void> {
  if (additions.length === 0) return
  const rows = additions.map((one) => ({
    tenant,
    day: one.day,
    kind: one.kind,
    subject: toStoredText(one.subject),
    calls: one.calls,
    completed: one.completed,
    failed: one.failed,
    denied: one.denied,
    cancelled: one.cancelled,
    run_ms: Math.round(one.runMs),
    output_bytes: Math.round(one.outputBytes),
    cost: one.cost,
  }))
  await transaction
    .insertInto('usage_days')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'kind', 'day', 'subject']).doUpdateSet({
        calls: sql`usage_days.calls + excluded.calls`,
        completed: sql`usage_days.completed + excluded.completed`,
        failed: sql`usage_days.failed + excluded.failed`,
        denied: sql`usage_days.denied + excluded.denied`,
        cancelled: sql`usage_days.cancelled + excluded.cancelled`,
        run_ms: sql`usage_days.run_ms + excluded.run_ms`,
        output_bytes: sql`usage_days.output_bytes + excluded.output_bytes`,
        cost: sql`usage_days.cost + excluded.cost`,
      }),
    )
    .execute()
}
