import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createUuid } from '../../core/ids.ts'

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

/** A fresh database on that server. */
export async function createTempDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `toolcrib_${createUuid()}`
  await runOnServer(`create database ${name}`)
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
