import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ownerOf } from '../app/owner.ts'
import { defineTool } from '../core/define-tool.ts'
import { createTempFolder } from '../store/contract/temp-store.ts'
import { createMasterKey } from '../store/master-key.ts'
import { openStores, type OpenStores } from '../features/open-stores.ts'
import { createTestCrib } from './create-test-crib.ts'
import { freshStore } from './fresh-store.fixture.ts'
import { openTestStore } from './open-test-store.ts'

const run = promisify(execFile)
const select = async ({ jobs }: OpenStores, text: string) => (await jobs.sql.executeSql(text)).rows

/** The number of rows in each table, and the database's own settings. */
async function describeDatabase(store: OpenStores) {
  const tables = await select(
    store,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname !~ '^pg_' and schemaname <> 'information_schema' order by 1`,
  )
  const counts: Record<string, unknown> = {}
  for (const { name } of tables) {
    const [row] = await select(store, `select count(*)::int as rows from ${String(name)}`)
    counts[String(name)] = row?.['rows']
  }
  const state = await select(store, `select name from store_state where name !~ '^key-check:'`)
  const [rest] = await select(
    store,
    `select (select value from store_state where name = 'era') as era,
      (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
      (select count(*)::int from pg_sequences) as sequences,
      current_setting('statement_timeout') as timeout`,
  )
  return { counts, state: state.map(({ name }) => String(name)).toSorted(), rest }
}

const note = defineTool({
  name: 'note.write',
  description: 'Writes after its answer.',
  effect: 'write',
  execution: 'background',
  concurrency: 1,
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => text.repeat(5000),
})

async function fill(store: OpenStores): Promise<void> {
  const config = { tenants: [{ slug: 'acme' }], agents: [{ slug: 'helper' }] }
  const crib = await createTestCrib({
    store,
    tools: [note],
    config,
    secrets: { key: 'a-long-value' },
  })
  for (let at = 0; at < 20; at += 1) {
    const { callId = '' } = await crib.call('note.write', { text: `note ${at}` })
    await crib.api.findCall(ownerOf(), { id: callId, wait: 60 })
  }
  await crib.close()
  await select(store, `select pg_advisory_lock(7)`)
  await select(store, `set statement_timeout = '7s'`)
}

test('a store is as one of a first start, whatever the one before it held', async () => {
  const folder = await createTempFolder()
  const { id, key } = createMasterKey()
  const first = await openStores(
    { kind: 'pglite', dataDir: folder.path },
    {
      masterKeys: { activeId: id, keys: new Map([[id, key]]) },
      nodeId: 'test',
      onWarning: () => undefined,
    },
  )
  const wanted = await describeDatabase(first)
  await first.close()
  await folder.remove()
  for (let round = 0; round < 3; round += 1) {
    const store = await openTestStore()
    expect(await describeDatabase(store)).toEqual(wanted)
    const [pepper] = await select(store, `select value from store_state where name = 'pepper'`)
    await fill(store)
    expect(await describeDatabase(store)).not.toEqual(wanted)
    await store.close()
    const next = await freshStore()
    expect(await select(next, `select value from store_state where name = 'pepper'`)).not.toEqual([
      pepper,
    ])
    await next.close()
  }
})

test('stores that are open at once have nothing in common', async () => {
  const [one, two] = [await freshStore(), await freshStore()]
  await one.tenants.sync([{ slug: 'acme', name: 'Acme' }])
  expect([await one.tenants.find('acme'), await two.tenants.find('acme')]).toEqual([
    expect.objectContaining({ slug: 'acme' }),
    undefined,
  ])
})

test('a database with a changed schema is not reused', async () => {
  for (const change of [
    'create table more (a int)',
    'alter table calls alter tool set default 1',
  ]) {
    const store = await openTestStore()
    await select(store, change)
    await store.close()
    const next = await freshStore()
    const [found] = await select(
      next,
      `select to_regclass('more') as more, (select column_default from information_schema.columns
        where table_name = 'calls' and column_name = 'tool') as added`,
    )
    expect(found).toEqual({ more: null, added: null })
    await next.close()
  }
})

test('after it is closed, nothing can be asked of a store, and its process may end', async () => {
  const store = await freshStore()
  await store.close()
  await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
  const file = new URL('./open-test-store.ts', import.meta.url).href
  const program = `
    const { openTestStore } = await import(${JSON.stringify(file)})
    const store = await openTestStore()
    await store.close()
    const closedAt = performance.now()
    process.on('exit', () => console.log(performance.now() - closedAt))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program])
  // The engine's own timers would take ten seconds.
  expect(Number(stdout)).toBeLessThan(9000)
})
