import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild } from '../../contract/child.ts'
import { freshTenant, settingsFor, settlementOf, startOf } from '../../contract/records.ts'
import { createTempFolder } from '../../contract/temp-store.ts'
import { openEngine } from '../../open-store.ts'
import { createStores, openStores } from '../../../features/open-stores.ts'
import { ensurePrebuiltFolder } from './prebuilt-folder.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeEach(async () => {
  await ensurePrebuiltFolder()
  folder = await createTempFolder()
})
afterEach(() => folder.remove())

const location = () => ({ kind: 'pglite', dataDir: folder.path }) as const

test('everything acknowledged before a kill -9 is there after it, and what ran is handed out', async () => {
  const tenant = freshTenant()
  const opened = new Set<string>()
  const settled = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const child = startChild('write-calls.ts', [JSON.stringify(location()), tenant])
    await child.printed(400)
    child.process.kill('SIGKILL')
    await child.ended
    for (const line of child.lines) {
      const [what, callId = ''] = line.split(' ')
      if (what === 'opened') opened.add(callId)
      if (what === 'settled') settled.add(callId)
    }
  }
  expect(settled.size).toBeGreaterThan(200)
  const store = await openStores(location(), settingsFor())
  try {
    for (const callId of settled) {
      expect((await store.calls.find(tenant, callId))?.status).toBe('completed')
      const { items } = await store.events.read(tenant, { limit: 10, callId })
      expect(items.map(({ seq }) => seq)).toEqual([1, 2, 3])
    }
    const orphans = new Set((await store.calls.claimOrphans(1000)).map(({ callId }) => callId))
    for (const callId of opened) {
      const isSettled = (await store.calls.find(tenant, callId))?.status === 'completed'
      expect(orphans.has(callId)).toBe(!isSettled)
    }
  } finally {
    await store.close()
  }
})

test('a second opener gets an error that names the holder of the folder', async () => {
  const child = startChild('write-calls.ts', [JSON.stringify(location()), freshTenant()])
  await child.printed(1)
  await expect(openStores(location(), settingsFor())).rejects.toMatchObject({
    code: 'data_locked',
    message: expect.stringContaining(String(child.process.pid)),
  })
  child.process.kill('SIGKILL')
  await child.ended
})

test('data of a newer version is refused, whether the schema or the engine is newer', async () => {
  const engine = await openEngine(location(), () => {})
  await sql`insert into kysely_migration values ('9999_later', '2030-01-01')`.execute(engine.db)
  await engine.close()
  await expect(openStores(location(), settingsFor())).rejects.toMatchObject({ code: 'data_newer' })

  const other = join(folder.path, 'other')
  await mkdir(join(other, 'db'), { recursive: true })
  await writeFile(join(other, 'db', 'PG_VERSION'), '99\n')
  await expect(openStores({ kind: 'pglite', dataDir: other }, settingsFor())).rejects.toMatchObject(
    {
      code: 'data_newer',
    },
  )
})

test('a database whose version file is lost or damaged is refused, and stays as it is', async () => {
  await (await openEngine(location(), () => {})).close()
  const file = join(folder.path, 'db', 'PG_VERSION')
  const refused = { code: 'data_damaged', retryable: false }
  const before = await readdir(join(folder.path, 'db'))
  await writeFile(file, '')
  await expect(openEngine(location(), () => {})).rejects.toMatchObject(refused)
  await rm(file)
  await expect(openEngine(location(), () => {})).rejects.toMatchObject(refused)
  await writeFile(file, '18\n')
  expect(await readdir(join(folder.path, 'db'))).toEqual(before)
  await (await openEngine(location(), () => {})).close()
})

test('another master key is refused, under the same id and under another, and nothing is locked after it', async () => {
  const store = await openStores(location(), settingsFor())
  await store.secrets.write({ tenant: 'default' }, 'name', 'the value')
  await store.close()
  await expect(openStores(location(), settingsFor('node', 8))).rejects.toMatchObject({
    code: 'wrong_master_key',
  })
  const renamed = { activeId: 'k9', keys: new Map([['k9', new Uint8Array(32).fill(9)]]) }
  const open = openStores(location(), { ...settingsFor(), masterKeys: renamed })
  await expect(open).rejects.toMatchObject({ code: 'wrong_master_key' })
  await (await openStores(location(), settingsFor())).close()
  // The refused key left no check under its id, which would refuse the right one now.
  const { activeId, keys } = settingsFor().masterKeys
  const masterKeys = { activeId, keys: new Map([...keys, ['k9', new Uint8Array(32).fill(10)]]) }
  await (await openStores(location(), { ...settingsFor(), masterKeys })).close()
})

test('after a rotation the old master key is not needed any more', async () => {
  const [old, fresh] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)]
  const open = (activeId: string, keys: [string, Uint8Array][]) =>
    openStores(location(), { ...settingsFor(), masterKeys: { activeId, keys: new Map(keys) } })
  const first = await open('k1', [['k1', old]])
  for (let index = 0; index < 450; index++)
    await first.secrets.write({ tenant: 't' }, `name_${index}`, `the value ${index}`)
  const { token } = await first.keys.create({ tenant: 't', name: 'k', scopes: [] })
  await first.close()
  const second = await open('k2', [
    ['k2', fresh],
    ['k1', old],
  ])
  const by = { kind: 'user', id: 'owner' } as const
  expect(await second.keyring?.rotate({ tenant: 't', by, isResumed: true })).toEqual({
    keyId: 'k2',
    hasBegun: false,
    moved: { secrets: 450, inputs: 0 },
    left: { secrets: 0, inputs: 0 },
    isDone: true,
  })
  await second.close()
  const third = await open('k2', [['k2', fresh]])
  expect((await third.secrets.read({ tenant: 't' }, ['name_449'])).get('name_449')).toBe(
    'the value 449',
  )
  expect(await third.keys.verify(token)).toMatchObject({ name: 'k' })
  await third.close()
})

/** Root may write anywhere, so another user has to try, who may not reach a private checkout. */
const isRoot = process.getuid?.() === 0
const mayOthersRead = !isRoot || (await isOpenToOthers(process.execPath))

async function isOpenToOthers(place: string): Promise<boolean> {
  const { mode } = await stat(place)
  if ((mode & 0o001) === 0) return false
  return dirname(place) === place || isOpenToOthers(dirname(place))
}

test.skipIf(!mayOthersRead)('a folder that cannot be written is told apart', async () => {
  await mkdir(join(folder.path, 'closed'))
  if (isRoot) await chown(folder.path, 0, 0)
  await chmod(folder.path, 0o755)
  await chmod(join(folder.path, 'closed'), 0o555)
  const target = JSON.stringify({ kind: 'pglite', dataDir: join(folder.path, 'closed') })
  const child = startChild('write-calls.ts', [target, 't'], isRoot ? { uid: 65_534 } : {})
  await child.ended
  expect(child.lines).toEqual(['data_read_only'])
})

test('a full disk fails the write with a code, loses nothing, and the store recovers', async () => {
  const fs = createRequire(import.meta.url)('node:fs') as {
    writeSync: (...args: unknown[]) => number
  }
  const write = fs.writeSync
  const warnings: string[] = []
  const store = await openStores(location(), {
    ...settingsFor(),
    onWarning: (message) => warnings.push(message),
  })
  try {
    const before = startOf(freshTenant())
    await store.calls.open(before)
    fs.writeSync = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), {
        code: 'ENOSPC',
        errno: -28,
      })
    }
    const during = startOf(before.tenant)
    await expect(store.calls.open(during)).rejects.toMatchObject({ retryable: true })
    await expect(store.calls.open(startOf(before.tenant))).rejects.toMatchObject({
      retryable: true,
    })
    fs.writeSync = write
    await sleep(1100)
    await store.ping()
    expect(await store.calls.settle(settlementOf(before))).toBe(true)
    const { items } = await store.calls.list(before.tenant, { limit: 10 })
    expect(items.map(({ callId, status }) => [callId, status])).toEqual([
      [before.callId, 'completed'],
    ])
    expect(warnings).toEqual([
      expect.stringContaining('broke off'),
      expect.stringContaining('open again'),
    ])
  } finally {
    fs.writeSync = write
    await store.close()
  }
})

test('a transaction that is rolled back takes no hot write with it', async () => {
  const engine = await openEngine(location(), () => {})
  const store = await createStores(engine, settingsFor())
  const start = startOf(freshTenant())
  const failing = engine.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('tenants').values({ slug: 'x', name: 'x' }).execute()
    await sleep(50)
    throw new Error('changed my mind')
  })
  const write = store.calls.open(start)
  await expect(failing).rejects.toThrow('changed my mind')
  await write
  expect((await store.calls.find(start.tenant, start.callId))?.status).toBe('running')
  expect(await store.tenants.list({ limit: 1 })).toEqual({ items: [] })
  await store.close()
})

test('a transaction that continues after an error fails, and leaves nothing of itself and nothing open', async () => {
  const engine = await openEngine(location(), () => {})
  const slugs = async () => {
    const { rows } = await engine.sql.executeSql('select slug from tenants')
    return rows.map(({ slug }) => slug)
  }
  const before = await slugs()
  const hot = engine.transact(async ({ executeSql }) => {
    await executeSql(`insert into tenants (slug, name) values ('lost', 'x')`)
    await executeSql('select 1 / 0').catch(() => {})
  })
  await expect(hot).rejects.toMatchObject({ code: '25P02' })
  const other = engine.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('tenants').values({ slug: 'lost', name: 'x' }).execute()
    await sql`select 1 / 0`.execute(transaction).catch(() => {})
  })
  await expect(other).rejects.toMatchObject({ code: '25P02' })
  expect(await slugs()).toEqual(before)
  await engine.close()
})

test('a first start that was cut short is repeated', async () => {
  await mkdir(join(folder.path, 'db.draft', 'base'), { recursive: true })
  await writeFile(join(folder.path, 'db.draft', 'PG_VERSION'), '18\n')
  const store = await openStores(location(), settingsFor())
  await expect(store.ping()).resolves.toBeUndefined()
  await store.close()
})
