import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Tables } from '../tables.ts'
import type { Engine, EngineTransaction, Statement, TextRow, Value } from './engine.ts'
import { migrate, schemaName } from './migrate.ts'
import { plannerSettings, toFlags } from './planner-settings.ts'
import { createNotifier } from './postgres-notify.ts'
import { openServerClock } from './engine-clock.ts'
import { rolledBack } from './store-error.ts'

const oldestVersion = 150_000
const statementTimeoutMs = 30_000
const connectTimeoutMs = 10_000

export interface PostgresOptions {
  url: string
  poolSize?: number
  onWarning: (message: string) => void
}

/** A PostgreSQL by its address. Any number of nodes may open the same one. */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const pool = createPool(options)
  try {
    await checkServer(pool)
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    await migrate(db)
    const clock = await openServerClock(() => readTime(pool))
    const notifier = createNotifier({
      connection: toConnection(options.url),
      pool,
      onWarning: options.onWarning,
    })
    return {
      kind: 'postgres',
      now: clock.now,
      db,
      lanes: 2,
      run: (statement, values) => run(pool, statement, values),
      transact: (work) => transact(pool, work),
      sql: { executeSql: (text, values) => executeSql(pool, text, values) },
      noteWrites: () => {},
      announce: (topic = 'events') => notifier.announce(topic),
      watch: (listener, topic = 'events') => notifier.watch(listener, topic),
      bus: notifier.bus,
      async close() {
        clock.stop()
        await notifier.close()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end().catch(() => {})
    throw error
  }
}

async function transact<T>(
  pool: pg.Pool,
  work: (transaction: EngineTransaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work({
      run: (statement, values) => run(client, statement, values),
      executeSql: (text, values) => executeSql(client, text, values),
    })
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw rolledBack()
    return result
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => (broken = reason))
    throw error
  } finally {
    // A connection that can't even roll back is not given to the next.
    client.release(broken)
  }
}

/** Several statements answer with several results; their rows are one list, as pg-boss expects. */
async function executeSql(
  client: Pick<pg.Pool, 'query'>,
  text: string,
  values: unknown[] | undefined,
): Promise<{ rows: Record<string, unknown>[] }> {
  const result: pg.QueryResult | pg.QueryResult[] = await client.query(text, values)
  const results = Array.isArray(result) ? result : [result]
  return { rows: results.flatMap(({ rows }) => rows as Record<string, unknown>[]) }
}

async function run(
  pool: Pick<pg.Pool, 'query'>,
  statement: Statement,
  values: readonly Value[],
): Promise<TextRow[]> {
  const result = await pool.query<(string | null)[]>({
    name: statement.name,
    text: statement.text,
    values: values as Value[],
    rowMode: 'array',
  })
  return result.rows
}

function createPool(options: PostgresOptions): pg.Pool {
  // Sizes and milliseconds fit a JavaScript number; a string would compare wrongly without an
  // error.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    ...toConnection(options.url),
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    // The client's own limit, for a server that no longer answers.
    query_timeout: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    types,
  })
  // One that breaks between two statements of a transaction fails the next of them; without somebody
  // who listens, its event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  // An idle connection that breaks is taken out of the pool; the next use makes a new one.
  pool.on('error', (error) => options.onWarning(`A database connection was lost: ${error.message}`))
  return pool
}

function toConnection(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'toolcrib',
    options: toFlags({ ...plannerSettings, search_path: schemaName }).join(' '),
  }
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const version = await readVersion(pool)
  if (version >= oldestVersion) return
  throw new ToolError(
    'store_unavailable',
    `This PostgreSQL is version ${Math.floor(version / 10_000)}; Toolcrib needs 15 or later.`,
    { fix: 'Use PostgreSQL 15 or later.', retryable: false },
  )
}

async function readVersion(pool: pg.Pool): Promise<number> {
  try {
    const result = await pool.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    return Number(result.rows[0]?.version)
  } catch (error) {
    throw new ToolError('store_unavailable', `PostgreSQL did not answer: ${reasonOf(error)}`, {
      fix: 'Check the address, user and password of the database, and that the server runs.',
      cause: error,
    })
  }
}

async function readTime(pool: pg.Pool): Promise<number> {
  const result = await pool.query<{ now: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::text as now`,
  )
  return Number(result.rows[0]?.now)
}

/** A refused connection to several addresses is an AggregateError whose own message is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
