import type { Transaction } from 'kysely'
import type { TenantStore } from '../../../core/rules/tenant.ts'
import { changeIn, guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'
import type { LogWriter } from '../../../store/log/writing/log-writer.ts'
import { createTenantChanges, lockTenants } from './tenant-changes.ts'
import { removeDeleted } from '../../../store/tenant-removal.ts'
import { toTenant, undeclared } from './tenant-rows.ts'
import { toPage, toPageLimit } from '../../../store/engine/page.ts'

const maxPage = 1000

/** Tenants on either engine. */
export function createTenantStore(engine: Engine, writer: LogWriter): TenantStore {
  return {
    ...createTenantChanges(engine),
    removeDeleted: (options) => guarded(() => removeDeleted(engine, writer, options)),
    async sync(declared) {
      await changeIn(engine, (transaction) => sync(transaction, declared, engine.now()))
      engine.announce('rules')
    },
    find: (slug) =>
      guarded(async () => {
        const row = await engine.db
          .selectFrom('tenants')
          .selectAll()
          .where('slug', '=', toStoredText(slug))
          .where('deleted_ms', 'is', null)
          .executeTakeFirst()
        return row && toTenant(row)
      }),
    list: (query) =>
      guarded(async () => {
        const limit = toPageLimit(query.limit, maxPage)
        const rows = await engine.db
          .selectFrom('tenants')
          .selectAll()
          .where('slug', '>', toStoredText(query.after ?? ''))
          .where('deleted_ms', 'is', null)
          .orderBy('slug')
          .limit(limit + 1)
          .execute()
        return toPage(rows.map(toTenant), limit, ({ slug }) => slug)
      }),
  }
}

async function sync(
  transaction: Transaction<Tables>,
  declared: Parameters<TenantStore['sync']>[0],
  now: number,
): Promise<void> {
  await lockTenants(transaction)
  const known = await transaction.selectFrom('tenants').selectAll().execute()
  for (const { slug, name } of declared) {
    const row = known.find((candidate) => candidate.slug === slug)
    if (row === undefined) {
      const created_ms = now
      await transaction
        .insertInto('tenants')
        .values({ slug, name: toStoredText(name), is_declared: true, created_ms })
        .execute()
      continue
    }
    // It is still being removed; the next start after that creates it again.
    if (row.deleted_ms !== null) continue
    const isBack = row.reason === undeclared
    if (row.is_declared && row.name === toStoredText(name) && !isBack) continue
    await transaction
      .updateTable('tenants')
      .set({
        name: toStoredText(name),
        is_declared: true,
        ...(isBack && { status: 'active', reason: null, suspended_ms: null }),
      })
      .where('slug', '=', slug)
      .execute()
  }
  const gone = known.filter(
    (row) => row.is_declared && !declared.some(({ slug }) => slug === row.slug),
  )
  for (const { slug, status, reason, suspended_ms } of gone) {
    const why = status === 'suspended' ? reason : undeclared
    const since = suspended_ms ?? now
    await transaction
      .updateTable('tenants')
      .set({ is_declared: false, status: 'suspended', reason: why, suspended_ms: since })
      .where('slug', '=', slug)
      .execute()
  }
}
