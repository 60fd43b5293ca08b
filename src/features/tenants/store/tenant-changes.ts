import { storeTime } from '../../../core/kernel/ids.ts'
import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { Principal } from '../../../core/kernel/call.ts'
import type { EventFact } from '../../../core/events/event.ts'
import {
  assertDeletable,
  changeTenant,
  defaultTenant,
  describeTenantChange,
  slugTaken,
} from '../../../core/rules/tenant.ts'
import type { Tenant, TenantChange, TenantStore } from '../../../core/rules/tenant.ts'
import { changeIn } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText, toStoredTextOrNull } from '../../../store/log/stored-text.ts'
import { recordEvents } from '../../../store/log/record-events.ts'
import type { Tables } from '../../../store/tables.ts'
import { tenantTables } from '../../../store/tenant-removal.ts'
import { toTenant } from './tenant-rows.ts'

type TenantChanges = Pick<TenantStore, 'create' | 'change' | 'delete'>

/** Changes that people make to tenants. */
export function createTenantChanges(engine: Engine): TenantChanges {
  async function change<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    const result = await changeIn(engine, async (db) => {
      await lockTenants(db)
      return work(db)
    })
    engine.announce('rules')
    return result
  }
  return {
    create: (tenant, by) => change((db) => create(db, tenant, by)),
    change: (slug, wanted, by) =>
      change((db) => changeOne(db, { slug, wanted, by, now: engine.now() })),
    delete: (slug, by) => change((db) => markDeleted(db, { slug, by, now: engine.now() })),
  }
}

/** Nodes that start together and people who change tenants wait for each other. */
export async function lockTenants(db: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('toolcrib tenants'))`.execute(db)
}

async function findRow(db: Transaction<Tables>, slug: string) {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where('slug', '=', toStoredText(slug))
    .executeTakeFirst()
}

async function create(
  db: Transaction<Tables>,
  { slug, name }: { slug: string; name: string },
  by: Principal,
): Promise<Tenant> {
  const known = await findRow(db, slug)
  if (known !== undefined) throw slugTaken(slug, known.deleted_ms !== null)
  await removeLate(db, slug)
  const row = await db
    .insertInto('tenants')
    .values({ slug, name: toStoredText(name), is_declared: false, created_ms: storeTime() })
    .returningAll()
    .executeTakeFirstOrThrow()
  const fact = { type: 'tenant.created', data: { slug, name } } as const
  await recordEventOf(db, [defaultTenant, slug], { by, fact })
  return toTenant(row)
}

/** A tool that missed the abort may have written after everything else was removed. The new tenant must not get that. */
async function removeLate(db: Transaction<Tables>, slug: string): Promise<void> {
  for (const { name } of tenantTables) {
    await sql`delete from ${sql.table(name)} where tenant = ${slug}`.execute(db)
  }
}

async function changeOne(
  db: Transaction<Tables>,
  { slug, wanted, by, now }: { slug: string; wanted: TenantChange; by: Principal; now: number },
): Promise<Tenant | undefined> {
  const row = await findRow(db, slug)
  if (row === undefined || row.deleted_ms !== null) return undefined
  const before = toTenant(row)
  const after = changeTenant(before, wanted)
  if (after === undefined) return before
  const isSuspended = after.status === 'suspended'
  if (!isSuspended && row.suspended_ms !== null) {
    await giveTimeBack(db, slug, Math.max(0, now - row.suspended_ms))
  }
  await db
    .updateTable('tenants')
    .set({
      name: toStoredText(after.name),
      status: after.status,
      reason: toStoredTextOrNull(after.reason),
      suspended_ms: isSuspended ? (row.suspended_ms ?? now) : null,
    })
    .where('slug', '=', row.slug)
    .execute()
  const data = describeTenantChange(before, after)
  await recordEventOf(db, [defaultTenant, slug], { by, fact: { type: 'tenant.changed', data } })
  return after
}

/** Nobody could answer while it was suspended, so deadlines are extended by that time. */
async function giveTimeBack(db: Transaction<Tables>, slug: string, lostMs: number): Promise<void> {
  const tenant = toStoredText(slug)
  await sql`update calls set deadline_ms = deadline_ms + ${lostMs}
    where tenant = ${tenant} and settled_ms is null and deadline_ms is not null`.execute(db)
  await sql`update groups set deadline_ms = deadline_ms + ${lostMs}
    where tenant = ${tenant} and settled_ms is null and deadline_ms is not null`.execute(db)
  await sql`update approvals set expires_ms = expires_ms + ${lostMs}
    where tenant = ${tenant} and status = 'pending'`.execute(db)
}

/**
 * Suspended as well, so that nothing serves it any more. Running calls are aborted, and the tokens
 * of external workers are void: they are the only access that checks no tenant.
 */
async function markDeleted(
  db: Transaction<Tables>,
  { slug, by, now }: { slug: string; by: Principal; now: number },
): Promise<boolean> {
  const row = await findRow(db, slug)
  if (row === undefined || row.deleted_ms !== null) return false
  assertDeletable(toTenant(row))
  await db
    .updateTable('tenants')
    .set({ status: 'suspended', deleted_ms: now })
    .where('slug', '=', row.slug)
    .execute()
  await sql`update calls set cancel_requested = true, token_hash = null
    where tenant = ${row.slug} and settled_ms is null
      and (status = 'running' or token_hash is not null)`.execute(db)
  await recordEventOf(db, [defaultTenant], {
    by,
    fact: { type: 'tenant.deleted', data: { slug, name: row.name } },
  })
  return true
}

async function recordEventOf(
  db: Transaction<Tables>,
  tenants: readonly string[],
  { by, fact }: { by: Principal; fact: EventFact },
): Promise<void> {
  const event = { ...fact, at: storeTime() }
  const told = [...new Set(tenants)].map((tenant) => ({ tenant, principal: by, event }))
  await recordEvents(db, told)
}
