import { sql } from 'kysely'
import type { Selectable, Transaction } from 'kysely'
import type { Tenant, TenantStore } from '../../core/rules/tenant.ts'
import { changeIn, guarded } from '../engine/change-in.ts'
import type { Engine } from '../engine/engine.ts'
import { toStoredText } from '../log/stored-text.ts'
import type { Tables } from '../tables.ts'
import type { TenantsTable } from './rules-tables.ts'

const maxPage = 1000

/** Tenants on whichever engine. */
export function createTenantStore(engine: Engine): TenantStore {
  return {
    async sync(declared) {
      await changeIn(engine, (transaction) => sync(transaction, declared))
      engine.announce('rules')
    },
    find: (slug) =>
      guarded(async () => {
        const row = await engine.db
          .selectFrom('tenants')
          .selectAll()
          .where('slug', '=', toStoredText(slug))
          .executeTakeFirst()
        return row && toTenant(row)
      }),
    list: (query) =>
      guarded(async () => {
        const limit = Math.min(Math.max(1, Math.trunc(query.limit) || 1), maxPage)
        const rows = await engine.db
          .selectFrom('tenants')
          .selectAll()
          .where('slug', '>', toStoredText(query.after ?? ''))
          .orderBy('slug')
          .limit(limit + 1)
          .execute()
        const items = rows.slice(0, limit).map(toTenant)
        return rows.length > limit ? { items, next: items.at(-1)?.slug } : { items }
      }),
  }
}

/** Why a tenant is suspended that configuration has stopped to declare; declaring it again takes it up. */
const undeclared = 'it is declared no more'

async function sync(
  transaction: Transaction<Tables>,
  declared: Parameters<TenantStore['sync']>[0],
): Promise<void> {
  // Nodes that start together take turns.
  await sql`select pg_advisory_xact_lock(hashtext('toolcrib tenants'))`.execute(transaction)
  const known = await transaction.selectFrom('tenants').selectAll().execute()
  for (const { slug, name } of declared) {
    const row = known.find((candidate) => candidate.slug === slug)
    if (row === undefined) {
      const created_ms = Date.now()
      await transaction
        .insertInto('tenants')
        .values({ slug, name: toStoredText(name), is_declared: true, created_ms })
        .execute()
      continue
    }
    const isBack = row.reason === undeclared
    if (row.is_declared && row.name === toStoredText(name) && !isBack) continue
    await transaction
      .updateTable('tenants')
      .set({
        name: toStoredText(name),
        is_declared: true,
        ...(isBack && { status: 'active', reason: null }),
      })
      .where('slug', '=', slug)
      .execute()
  }
  const gone = known.filter(
    (row) => row.is_declared && !declared.some(({ slug }) => slug === row.slug),
  )
  for (const { slug, status, reason } of gone) {
    const why = status === 'suspended' ? reason : undeclared
    await transaction
      .updateTable('tenants')
      .set({ is_declared: false, status: 'suspended', reason: why })
      .where('slug', '=', slug)
      .execute()
  }
}

function toTenant(row: Selectable<TenantsTable>): Tenant {
  return {
    slug: row.slug,
    name: row.name,
    status: row.status as Tenant['status'],
    ...(row.reason !== null && { reason: row.reason }),
    isDeclared: row.is_declared,
    createdAt: new Date(row.created_ms).toISOString(),
  }
}
