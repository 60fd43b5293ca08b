import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import type { TenantStore } from '../core/ports.ts'
import type { JsonValue } from '../core/tool.ts'
import type { Engine } from './engine/engine.ts'
import { toStoreError } from './engine/store-error.ts'
import { toStoredText } from './log/stored-text.ts'
import type { Tables } from './tables.ts'

type DeclaredTenant = Parameters<TenantStore['sync']>[0][number]

/** Tenants and agents as configuration declares them. What hangs on a tenant is never removed with its declaration. */
export function createTenantStore(engine: Engine): TenantStore {
  return {
    async sync(tenants) {
      try {
        await engine.db.transaction().execute((transaction) => sync(transaction, tenants))
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async list() {
      return engine.db.selectFrom('tenants').select(['slug', 'name']).orderBy('slug').execute()
    },
    async agents(tenant) {
      const rows = await engine.db
        .selectFrom('agents')
        .select(['slug', 'definition', 'is_declared'])
        .where('tenant', '=', toStoredText(tenant))
        .orderBy('slug')
        .execute()
      return rows.map((row) => ({
        slug: row.slug,
        definition: JSON.parse(row.definition) as JsonValue,
        isDeclared: row.is_declared,
      }))
    },
  }
}

async function sync(
  transaction: Transaction<Tables>,
  tenants: readonly DeclaredTenant[],
): Promise<void> {
  // Nodes that start together take turns.
  await sql`select pg_advisory_xact_lock(hashtext('toolcrib tenants'))`.execute(transaction)
  await transaction
    .deleteFrom('tenants')
    .where('slug', 'not in', ['', ...tenants.map(({ slug }) => slug)])
    .execute()
  await transaction.deleteFrom('agents').where('is_declared', '=', true).execute()
  for (const { slug, name, agents } of tenants) {
    await transaction
      .insertInto('tenants')
      .values({ slug, name: toStoredText(name) })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet({ name: toStoredText(name) }))
      .execute()
    for (const agent of agents) {
      const definition = JSON.stringify(agent.definition)
      await transaction
        .insertInto('agents')
        .values({ tenant: slug, slug: agent.slug, definition, is_declared: true })
        .onConflict((conflict) =>
          conflict.columns(['tenant', 'slug']).doUpdateSet({ definition, is_declared: true }),
        )
        .execute()
    }
  }
}
