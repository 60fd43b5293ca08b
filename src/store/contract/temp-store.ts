import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createUuid } from '../../core/kernel/ids.ts'
import { jobSchema } from '../../core/pipeline/record/work-order.ts'

/** A folder that is removed with `remove`. */
export async function createTempFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'toolcrib store '))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The address of a PostgreSQL that tests may do anything with. Without one they fail: what is skipped proves nothing. */
export function testServerUrl(): string {
  const url = process.env['TOOLCRIB_TEST_POSTGRES']
  if (url) return url
  throw new Error(
    'TOOLCRIB_TEST_POSTGRES is not set. Run the tests with `npm test`, which starts a PostgreSQL, or set it to the URL of a server and user that may create databases.',
  )
}

export interface TempDatabase {
  url: string
  drop(): Promise<void>
}

/** A fresh database on that server. Its schema is there already where the run has made a template. */
export function createTempDatabase(): Promise<TempDatabase> {
  const template = process.env['TOOLCRIB_TEST_TEMPLATE']
  return createDatabase(template === undefined ? '' : `template ${template} strategy file_copy`)
}

/** One with nothing in it, for what is about the first start on a database. */
export function createEmptyDatabase(): Promise<TempDatabase> {
  return createDatabase('')
}

/**
 * A database to copy, in `TOOLCRIB_TEST_TEMPLATE`: what every first start would do, done once. A copy
 * takes a quarter of the time. Like the folder that the embedded store starts from, it holds the schema
 * and the tables of the queue, and no row of anybody.
 */
export async function createTemplate(): Promise<TempDatabase> {
  const database = await createEmptyDatabase()
  const { openPostgres } = await import('../engine/open-postgres.ts')
  const { getConstructionPlans } = await import('pg-boss')
  const engine = await openPostgres({ url: database.url, onWarning: () => undefined })
  await engine.sql.executeSql(getConstructionPlans(jobSchema), undefined)
  await engine.close()
  process.env['TOOLCRIB_TEST_TEMPLATE'] = new URL(database.url).pathname.slice(1)
  return database
}

async function createDatabase(how: string): Promise<TempDatabase> {
  const name = `toolcrib_${createUuid()}`
  await runOnServer(`create database ${name} ${how}`)
  const url = new URL(testServerUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnServer(`drop database if exists ${name} with (force)`) }
}

async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
