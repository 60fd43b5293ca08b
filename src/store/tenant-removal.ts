import type { RemovalOptions } from '../core/rules/tenant.ts'
import type { Engine, EngineTransaction } from './engine/engine.ts'
import { toCallId } from './log/call-id.ts'
import type { LogWriter } from './log/writing/log-writer.ts'
import { featureTables } from '../features/declarations.ts'
import type { Tables } from './tables.ts'

/**
 * Every table with rows of a tenant, in the order in which they go: first what lets somebody in,
 * last what happened. A test compares this with the database, so that no table is forgotten.
 */
export const tenantTables: readonly { name: keyof Tables }[] = [
  { name: 'rules' },
  ...featureTables.filter(({ isShared }) => !isShared),
  { name: 'calls' },
  { name: 'groups' },
  { name: 'artifacts' },
  { name: 'events' },
  { name: 'audit_segments' },
  { name: 'audit_heads' },
]

/** Tables whose rows of a tenant stay: through them every node learns that it was deleted. */
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
  const isQuiet = engine.now() - (row.deleted_ms ?? 0) >= quietMs
  let removed = 0
  for (const { name } of tenantTables) {
    const remove = removers[name] ?? removeRows
    const step = { table: name, tenant: row.slug, most: limit, isQuiet, writer }
    removed += await engine.transact((transaction) => remove(transaction, step))
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
  table: string
  tenant: string
  most: number
  isQuiet: boolean
  writer: LogWriter
}

/** Tables whose rows have something else hanging on them. */
const removers: Readonly<Record<string, typeof removeRows>> = {
  calls: removeCalls,
  artifacts: removeArtifacts,
}

/**
 * By their place in the table, which needs no key. As an array, not as a subquery, for which the
 * planner would scan the whole table at every step. Rows that another node has locked are left to
 * it.
 */
export function removeSome(table: string, places: string): string {
  return `with gone as (delete from ${table} where ctid = any (array(${places})) returning 1)
    select count(*)::int as count from gone`
}

/** Tables with rows of a tenant. */
export function placesOf(table: string): string {
  return `select ctid from ${table} where tenant = $1 limit $2 for update skip locked`
}

async function removeRows(
  { executeSql }: EngineTransaction,
  { table, tenant, most }: Step,
): Promise<number> {
  const { rows } = await executeSql(removeSome(table, placesOf(table)), [tenant, most])
  return Number(rows[0]?.['count'] ?? 0)
}

/** With their jobs. One that runs stays until it has had time to hear that it is to stop. */
async function removeCalls(
  transaction: EngineTransaction,
  { tenant, most, isQuiet, writer }: Step,
): Promise<number> {
  const { rows } = await transaction.executeSql(
    `delete from calls where ctid = any (array(select ctid from calls
        where tenant = $1 and (settled_ms is not null or status <> 'running' or $3)
        limit $2 for update skip locked))
      returning id::text as id, case when settled_ms is null then queue end as queue`,
    [tenant, most, isQuiet],
  )
  const jobs = rows.flatMap(({ id, queue }) =>
    typeof queue === 'string' ? [{ queue, callId: toCallId(String(id)) }] : [],
  )
  await writer.removeJobs(transaction, jobs)
  return rows.length
}

/** A quarter of a megabyte each. */
const piecesAtOnce = 32

/** Their pieces first: an artifact may have hundreds, and they must not all go in one transaction. */
async function removeArtifacts(transaction: EngineTransaction, step: Step): Promise<number> {
  const { rows } = await transaction.executeSql(
    removeSome(
      'artifact_pieces',
      `select p.ctid from artifact_pieces p join artifacts a on a.id = p.artifact_id
        where a.tenant = $1 limit $2 for update of p skip locked`,
    ),
    [step.tenant, piecesAtOnce],
  )
  const pieces = Number(rows[0]?.['count'] ?? 0)
  return pieces > 0 ? pieces : removeRows(transaction, step)
}
