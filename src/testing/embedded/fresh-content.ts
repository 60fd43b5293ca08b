import type { Database } from '../../store/engine/pglite/pglite-database.ts'
import { execute } from '../../store/engine/pglite/wire/pglite-wire.ts'

/** The contents of a database at first start. */
export interface FreshContent {
  /**
   * Changes with everything that is created, altered or dropped, and with the planner's statistics.
   */
  readonly shape: string
  /** The rows of tables that have any, as JSON, by the name of the table. */
  readonly rows: ReadonlyMap<string, string>
}

/** A table that has grown beyond this is cut back to nothing; others only lose their rows, which is faster. */
const maxPages = 16
const pageBytes = 8192

export async function describeContent(database: Database): Promise<FreshContent> {
  const rows = new Map<string, string>()
  for (const { name } of await listWritten(database)) {
    const [found] = await select(database, `select json_agg(t)::text as rows from ${name} t`)
    if (typeof found?.['rows'] === 'string') rows.set(name, found['rows'])
  }
  return { shape: await readShape(database), rows }
}

/**
 * Resets a database to its first start: all rows, locks, settings and prepared statements of its
 * last user are removed. False if its schema was changed: then it can't be reused.
 */
export async function restoreContent(database: Database, fresh: FreshContent): Promise<boolean> {
  await execute(database, 'rollback')
  await execute(database, 'discard all')
  if ((await readShape(database)) !== fresh.shape) return false
  const written = await listWritten(database)
  const long = written.filter(({ pages }) => pages > maxPages).map(({ name }) => name)
  const short = written.filter(({ pages }) => pages <= maxPages).map(({ name }) => name)
  await execute(
    database,
    [
      'begin',
      // Triggers would note these as changes, and foreign keys ask for an order.
      'set local session_replication_role = replica',
      ...(long.length > 0 ? [`truncate ${long.join(', ')} cascade`] : []),
      ...short.map((name) => `delete from ${name}`),
      ...[...fresh.rows].map(([name, rows]) => toInsert(name, rows)),
      'commit',
    ].join(';\n'),
  )
  return true
}

function toInsert(name: string, rows: string): string {
  const literal = `'${rows.replaceAll("'", "''")}'`
  return `insert into ${name} select * from json_populate_recordset(null::${name}, ${literal})`
}

async function listWritten(database: Database): Promise<{ name: string; pages: number }[]> {
  const rows = await select(
    database,
    `select format('%I.%I', nspname, relname) as name, pg_relation_size(c.oid)::float8 as bytes
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and nspname !~ '^pg_' and nspname <> 'information_schema'
        and pg_relation_size(c.oid) > 0`,
  )
  return rows.map(({ name, bytes }) => ({ name: String(name), pages: Number(bytes) / pageBytes }))
}

async function readShape(database: Database): Promise<string> {
  const catalogues = ['pg_class', 'pg_attrdef', 'pg_proc', 'pg_trigger', 'pg_constraint', 'pg_type']
  const parts = catalogues.map((name) => `(select (count(*), max(oid))::text from ${name})`)
  const learned = `(select count(*)::text from pg_statistic)`
  const [row] = await select(database, `select ${[...parts, learned].join(` || `)} as shape`)
  return String(row?.['shape'])
}

async function select(database: Database, text: string): Promise<Record<string, unknown>[]> {
  return (await execute(database, text)).flatMap(({ rows }) => rows)
}
