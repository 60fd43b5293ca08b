import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { removeFlags } from '../flows/remove-flags.ts'
import { toStoreError } from '../engine/store-error.ts'
import type { Tables } from '../tables.ts'
import { toStoredText } from './stored-text.ts'

/**
 * Removes what ended before the given time: calls that have settled, with their events and artifacts,
 * groups that were continued, and events outside of calls. What something still waits for stays,
 * with what it will read then. Ids begin with the time they were made at, so the oldest are found
 * without a search. Returns how many rows of calls, groups, flags of sessions and loose events went.
 */
export async function removeOld(
  engine: Engine,
  { tenant, beforeMs, limit }: { tenant: string; beforeMs: number; limit: number },
): Promise<number> {
  const scope = { tenant: toStoredText(tenant), before: firstUuidOf(beforeMs), limit }
  try {
    return await engine.db.transaction().execute(async (db) => {
      const calls = await removeCalls(db, scope)
      const groups = await removeGroups(db, scope)
      const flags = await removeFlags(db, { ...scope, beforeMs })
      return calls + groups + flags + (await removeLooseEvents(db, scope))
    })
  } catch (error) {
    throw toStoreError(error)
  }
}

interface Scope {
  tenant: string
  before: string
  limit: number
}

async function removeCalls(db: Transaction<Tables>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from calls where tenant = ${scope.tenant}
    and id in (select id from calls where tenant = ${scope.tenant} and id < ${scope.before}::uuid
      and settled_ms is not null and (group_id is null or not exists (select from groups g
        where g.tenant = calls.tenant and g.id = calls.group_id and g.continued_ms is null))
      order by id limit ${scope.limit} for update skip locked)
    returning id`.execute(db)
  if (rows.length === 0) return 0
  const ids = `{${rows.map(({ id }) => id).join(',')}}`
  await sql`delete from events where stream = any (${ids}::uuid[])`.execute(db)
  await sql`delete from artifacts where tenant = ${scope.tenant} and call_id = any (${ids}::uuid[])`.execute(
    db,
  )
  return rows.length
}

async function removeGroups(db: Transaction<Tables>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from groups where tenant = ${scope.tenant}
    and id in (select id from groups where tenant = ${scope.tenant} and id < ${scope.before}::uuid
      and continued_ms is not null order by id limit ${scope.limit} for update skip locked)
    returning id`.execute(db)
  return rows.length
}

async function removeLooseEvents(db: Transaction<Tables>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ stream: string }>`delete from events where (stream, last_seq) in
    (select stream, last_seq from events where tenant = ${scope.tenant} and not is_call
      and stream < ${scope.before}::uuid and not exists (select from groups g
        where g.tenant = events.tenant and g.id = events.stream)
      order by era, events.xid limit ${scope.limit})
    returning stream`.execute(db)
  return rows.length
}

/** The smallest UUIDv7 of that millisecond. */
function firstUuidOf(ms: number): string {
  const time = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
