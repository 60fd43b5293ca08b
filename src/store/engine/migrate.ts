import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Tables } from '../tables.ts'
import { migrations } from './migrations.ts'

/** The schema that holds our tables, so that a database may hold other things too. */
export const schemaName = 'toolcrib'

/**
 * Brings the schema up to date. Safe to run from several nodes at once: Kysely holds a lock while
 * it migrates. Refuses a database that a newer version has already changed.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const applied = await findApplied(db)
  refuseNewer(applied)
  if (applied.size === Object.keys(migrations).length) return
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => toMigrations() },
    migrationTableSchema: schemaName,
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  // Somebody newer may have migrated between our look and our lock.
  refuseNewer(await findApplied(db))
  throw error
}

function toMigrations(): Record<string, Migration> {
  const entries = Object.entries(migrations).map(([name, statements]): [string, Migration] => [
    name,
    {
      async up(db: Kysely<unknown>) {
        for (const statement of statements) await sql.raw(statement).execute(db)
      },
    },
  ])
  return Object.fromEntries(entries)
}

async function findApplied(db: Kysely<Tables>): Promise<Set<string>> {
  const table = `${schemaName}.kysely_migration`
  const found = await sql<{ found: string | null }>`select to_regclass(${table}) as found`.execute(
    db,
  )
  if (!found.rows[0]?.found) return new Set()
  const rows = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db)
  return new Set(rows.rows.map((row) => row.name))
}

function refuseNewer(applied: ReadonlySet<string>): void {
  const unknown = [...applied].filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw new ToolError(
    'data_newer',
    `The stored data was written by a newer Toolcrib (it has step ${unknown.join(', ')}, which this version does not know).`,
    { fix: 'Start the newer version, or use another data folder or database.' },
  )
}
