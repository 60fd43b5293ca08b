import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Engine } from './engine/engine.ts'
import { toStoreError } from './engine/store-error.ts'
import type { Tables } from './tables.ts'
import { noteRemoved } from './audit/note-removed.ts'
import type { RemovedRow } from './audit/note-removed.ts'
import type { Chain } from './audit/chain.ts'
import { chunkSelection } from './log/events/event-chunks.ts'
import { toStoredText } from './log/stored-text.ts'

/**
 * Removes records that ended before the given time: settled calls with their events and artifacts,
 * groups that were continued, and events outside of calls. Records that something still waits for
 * stay, with everything it will read; so do unsealed ones, which would otherwise be missing from
 * the chain and from the figures. Ids begin with their creation time, so the oldest are found
 * without a search. Then features remove what is old of theirs. Returns how many calls, groups, rows
 * of features and loose events were removed.
 */
export async function removeOld(
  { engine, chain }: { engine: Engine; chain: Chain },
  { tenant, beforeMs, limit }: OldRows,
  others: readonly RemoveOldRows[],
): Promise<number> {
  const old = { tenant: toStoredText(tenant), beforeMs, limit }
  const scope = { ...old, before: firstUuidOf(beforeMs), chain }
  try {
    return await engine.db.transaction().execute(async (db) => {
      const calls = await removeCalls(db, scope)
      const groups = await removeGroups(db, scope)
      let removed = 0
      for (const remove of others) removed += await remove(db, old)
      const events = await removeLooseEvents(db, scope)
      return calls + groups + removed + events
    })
  } catch (error) {
    throw toStoreError(error)
  }
}

/** The rows of a tenant that ended before a time, at most about `limit` of each kind. */
export interface OldRows {
  tenant: string
  beforeMs: number
  limit: number
}

/** Removes old rows of a feature, in the transaction of one round. Returns how many. */
export type RemoveOldRows = (db: Transaction<Tables>, old: OldRows) => Promise<number>

interface Scope extends OldRows {
  before: string
  chain: Chain
}

/** The end of the tenant's chain; where there is none, nothing is sealed. */
const sealedTo = sql`(select h.era, h.xid, h.stream, h.last_seq from audit_heads h
  where h.tenant = e.tenant)`
const isSealed = sql`coalesce((e.era, e.xid, e.stream, e.last_seq) <= ${sealedTo}, false)`
/** The facts about a row that the chain needs: all of it, with its items as their digest. */
const removedRow = sql.raw(
  `${chunkSelection}, encode(sha256(convert_to(items, 'UTF8')), 'hex') as items_digest`,
)

/** An array, because a query behind `in` may be run again for every row, and then its limit counts for nothing. */
async function removeCalls(db: Transaction<Tables>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from calls where tenant = ${scope.tenant}
    and id = any (array(select id from calls where tenant = ${scope.tenant} and id < ${scope.before}::uuid
      and settled_ms is not null and (group_id is null or not exists (select from groups g
        where g.tenant = calls.tenant and g.id = calls.group_id and g.continued_ms is null))
      and not exists (select from events e where e.stream = calls.id and not ${isSealed})
      order by id limit ${scope.limit} for update skip locked))
    returning id`.execute(db)
  if (rows.length === 0) return 0
  const ids = `{${rows.map(({ id }) => id).join(',')}}`
  const events =
    await sql<RemovedRow>`delete from events where stream = any (${ids}::uuid[]) returning ${removedRow}`.execute(
      db,
    )
  await noteRemoved(db, scope, events.rows)
  await sql`delete from artifacts where tenant = ${scope.tenant} and call_id = any (${ids}::uuid[])`.execute(
    db,
  )
  return rows.length
}

async function removeGroups(db: Transaction<Tables>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from groups where tenant = ${scope.tenant}
    and id = any (array(select id from groups where tenant = ${scope.tenant} and id < ${scope.before}::uuid
      and continued_ms is not null order by id limit ${scope.limit} for update skip locked))
    returning id`.execute(db)
  return rows.length
}

async function removeLooseEvents(db: Transaction<Tables>, scope: Scope): Promise<number> {
  const { rows } = await sql<RemovedRow>`delete from events where (stream, last_seq) in
    (select e.stream, e.last_seq from events e where e.tenant = ${scope.tenant} and not e.is_call
      and e.stream < ${scope.before}::uuid and ${isSealed} and not exists (select from groups g
        where g.tenant = e.tenant and g.id = e.stream)
      order by e.era, e.xid limit ${scope.limit})
    returning ${removedRow}`.execute(db)
  await noteRemoved(db, scope, rows)
  return rows.length
}

/** The smallest UUIDv7 of that millisecond. */
function firstUuidOf(ms: number): string {
  const time = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
