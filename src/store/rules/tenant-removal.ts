import type { RemovalOptions } from '../../core/rules/tenant.ts'
import type { Engine, EngineTransaction } from '../engine/engine.ts'
import { toCallId } from '../log/call-id.ts'
import type { LogWriter } from '../log/log-writer.ts'
import type { Tables } from '../tables.ts'

/**
 * Every table with rows of a tenant, in the order in which they go: first what lets somebody in,
 * last what happened. A test compares this with the database, so that no table is forgotten. `share`
 * is how much of a step's rows a table gets whose rows are heavy.
 */
export const tenantTables: readonly { name: keyof Tables; share?: number }[] = [
  { name: 'api_keys' },
  { name: 'sessions' },
  { name: 'one_time_tokens' },
  { name: 'members' },
  { name: 'secrets' },
  { name: 'rules' },
  { name: 'schedule_runs' },
  { name: 'schedules' },
  { name: 'approval_notices' },
  { name: 'approval_decisions' },
  { name: 'approval_rules' },
  { name: 'approvals' },
  { name: 'calls' },
  { name: 'groups' },
  // Their pieces go with them: a quarter of a megabyte each.
  { name: 'artifacts', share: 0.02 },
  { name: 'events' },
]

/** Tables whose rows of a tenant stay: by these every node hears that it is gone. */
export const keptTables: readonly (keyof Tables)[] = ['tenant_changes']

/** Removes a part of what one deleted tenant had. One short transaction for each table. */
export async function removeDeleted(
  engine: Engine,
  writer: LogWriter,
  { limit, quietMs }: RemovalOptions,
): Promise<number> {
  const row = await engine.db
    .selectFrom('tenants')
    .select(['slug', 'deleted_ms'])
    .where('deleted_ms', 'is not', null)
    .orderBy('deleted_ms')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return 0
  const isQuiet = Date.now() - (row.deleted_ms ?? 0) >= quietMs
  let removed = 0
  for (const { name, share = 1 } of tenantTables) {
    const most = Math.max(1, Math.floor(limit * share))
    const step = { tenant: row.slug, most, isQuiet }
    removed +=
      name === 'calls'
        ? await engine.transact((transaction) => removeCalls(transaction, writer, step))
        : await engine.transact((transaction) => removeRows(transaction, name, step))
  }
  engine.noteWrites(removed)
  if (removed > 0 || !isQuiet) return removed
  await engine.db
    .deleteFrom('tenants')
    .where('slug', '=', row.slug)
    .where('deleted_ms', 'is not', null)
    .execute()
  engine.announce('rules')
  // There may be another one.
  return 1
}

interface Step {
  tenant: string
  most: number
  isQuiet: boolean
}

/** By their place in the table: that needs no key and no index of its own. What another node has locked is its business. */
async function removeRows(
  { executeSql }: EngineTransaction,
  table: string,
  { tenant, most }: Step,
): Promise<number> {
  const { rows } = await executeSql(
    `with gone as (delete from ${table} where ctid in
        (select ctid from ${table} where tenant = $1 limit $2 for update skip locked) returning 1)
      select count(*)::int as count from gone`,
    [tenant, most],
  )
  return Number(rows[0]?.['count'] ?? 0)
}

/** With their jobs. One that runs stays until it has had time to hear that it is to stop. */
async function removeCalls(
  transaction: EngineTransaction,
  writer: LogWriter,
  { tenant, most, isQuiet }: Step,
): Promise<number> {
  const { rows } = await transaction.executeSql(
    `delete from calls where ctid in (select ctid from calls
        where tenant = $1 and (settled_ms is not null or status <> 'running' or $3)
        limit $2 for update skip locked)
      returning id::text as id, case when settled_ms is null then queue end as queue`,
    [tenant, most, isQuiet],
  )
  const jobs = rows.flatMap(({ id, queue }) =>
    typeof queue === 'string' ? [{ queue, callId: toCallId(String(id)) }] : [],
  )
  await writer.removeJobs(transaction, jobs)
  return rows.length
}
