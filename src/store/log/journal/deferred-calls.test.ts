import { randomBytes } from 'node:crypto'
import { copyFile, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Stores } from '../../../features/stores.ts'
import { freshTenant, settingsFor, settlementOf, startOf } from '../../contract/records.ts'
import { createTempFolder } from '../../contract/temp-store.ts'
import { type Columns, encodePart } from '../../engine/composite-rows.ts'
import { ensurePrebuiltFolder } from '../../engine/pglite/prebuilt-folder.ts'
import { openEngine } from '../../open-store.ts'
import { createStores, openStores } from '../../../features/open-stores.ts'
import { newCallColumns, toNewCallRow } from '../call-rows.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
let warnings: string[]
beforeEach(async () => {
  await ensurePrebuiltFolder()
  folder = await createTempFolder()
  warnings = []
})
afterEach(() => {
  restore()
  return folder.remove()
})
let restore = () => {}

const open = () =>
  openStores(
    { kind: 'pglite', dataDir: folder.path },
    { ...settingsFor(), onWarning: (message) => void warnings.push(message) },
  )
const journals = async () =>
  (await readdir(folder.path)).filter((name) => name.startsWith('journal'))
const statusOf = async (store: Stores, { tenant, callId }: ReturnType<typeof startOf>) =>
  (await store.calls.find(tenant, callId))?.status

async function record(store: Stores, start = startOf(freshTenant())) {
  await store.calls.recordWhole(start, settlementOf(start), { isNew: true })
  return start
}

test('a call is in the journal when it is recorded, and in its table soon after, though nobody looks', async () => {
  const store = await open()
  const isInJournal = async ({ callId }: ReturnType<typeof startOf>) => {
    const id = Buffer.from(callId.slice('call_'.length), 'hex')
    const paths = (await journals()).map((name) => join(folder.path, name))
    const files = await Promise.all(paths.map((path) => readFile(path)))
    return files.some((bytes) => bytes.includes(id))
  }
  let start = await record(store)
  // On a busy machine it may have continued before the file could be read.
  while (!(await isInJournal(start))) start = await record(store)
  await expect.poll(() => isInJournal(start)).toBe(false)
  expect(await statusOf(store, start)).toBe('completed')
  await store.close()
  expect(await journals()).toEqual([])
})

test('the journal of a killed process is replayed, once, also one of a version with other columns', async () => {
  const [known, other, halfWritten] = [1, 2, 3].map(() => startOf(freshTenant())) as [
    ReturnType<typeof startOf>,
    ReturnType<typeof startOf>,
    ReturnType<typeof startOf>,
  ]
  const rowOf = (start: ReturnType<typeof startOf>) => {
    const settlement = settlementOf(start)
    return toNewCallRow(start, { settlement, events: [...start.events, ...settlement.events] })
  }
  const first = await open()
  await record(first, known)
  await first.close()
  const torn = encodePart(newCallColumns, [rowOf(halfWritten)]).slice(0, -5)
  await writeFile(
    join(folder.path, 'journal-1'),
    Buffer.concat([
      Buffer.from(`${JSON.stringify(newCallColumns)}\n`),
      encodePart(newCallColumns, [rowOf(known)]),
      torn,
    ]),
  )
  const reversed: Columns = [['of_old', 'text'], ...newCallColumns.toReversed()]
  await writeFile(
    join(folder.path, 'journal-2'),
    Buffer.concat([
      Buffer.from(`${JSON.stringify(reversed)}\n`),
      encodePart(reversed, [['gone', ...rowOf(other).toReversed()]]),
    ]),
  )
  const second = await open()
  expect(await statusOf(second, known)).toBe('completed')
  expect(await second.calls.find(other.tenant, other.callId)).toMatchObject({
    status: 'completed',
    tool: other.tool,
    input: other.input,
  })
  expect(await statusOf(second, halfWritten)).toBeUndefined()
  const { items } = await second.events.read(known.tenant, { limit: 10 })
  expect(items.map(({ seq }) => seq)).toEqual([1, 2, 3])
  await second.close()
  expect(await journals()).toEqual([])
  expect(warnings).toEqual([])
})

test('an unreadable journal is renamed with a warning, and the start continues', async () => {
  await writeFile(join(folder.path, 'journal-7'), 'not of ours\nat all')
  // Cut off within its first line: nothing in it was acknowledged.
  await writeFile(join(folder.path, 'journal-8'), '[["tenant"')
  const store = await open()
  expect(warnings).toEqual([expect.stringContaining('journal-7.unrecorded')])
  await record(store)
  await store.close()
  expect(await journals()).toEqual([expect.stringContaining('journal-7.unrecorded')])
})

test('a row that the database never takes keeps no other back, now and at the next start, and is set aside', async () => {
  const engine = await openEngine({ kind: 'pglite', dataDir: folder.path }, () => {})
  await sql`alter table calls add constraint no_bad check (tool <> 'bad')`.execute(engine.db)
  const store = await createStores(engine, {
    ...settingsFor(),
    onWarning: (message) => void warnings.push(message),
  })
  const tenant = freshTenant()
  const starts = [{}, { tool: 'bad' }, {}].map((more) => startOf(tenant, more))
  await Promise.all(starts.map((start) => record(store, start)))
  const { items } = await store.calls.list(tenant, { limit: 10 })
  const good = starts.filter(({ tool }) => tool !== 'bad').map(({ callId }) => callId)
  expect(new Set(items.map(({ callId }) => callId))).toEqual(new Set(good))
  await expect.poll(() => warnings).toContainEqual(expect.stringContaining('unrecorded'))
  const aside = await journals()
  await store.close()
  const [name = ''] = (await journals()).filter((one) => one.includes('unrecorded'))
  expect(aside).toContain(name)
  await copyFile(join(folder.path, name), join(folder.path, 'journal-1'))
  const next = await open()
  expect(warnings.at(-1)).toContain('1 calls in')
  await next.close()
})

test('a value too long for an index is refused before it is acknowledged', async () => {
  const store = await open()
  const sessionId = randomBytes(4500).toString('hex')
  await expect(record(store, startOf(freshTenant(), { sessionId }))).rejects.toMatchObject({
    code: 'record_failed',
  })
  await store.close()
  expect(await journals()).toEqual([])
})

test('a call that is there already is settled, and keeps no other back', async () => {
  const store = await open()
  const opened = startOf(freshTenant())
  await store.calls.open(opened)
  const [, other] = await Promise.all([record(store, opened), record(store)])
  await store.flush()
  expect(await statusOf(store, opened)).toBe('completed')
  expect(await statusOf(store, other)).toBe('completed')
  const { items } = await store.events.read(opened.tenant, { limit: 10 })
  expect(items.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'call.requested'],
    [2, 'call.started'],
    [3, 'call.completed'],
  ])
  await store.close()
  expect(await journals()).toEqual([])
})

test('while the database is down calls are kept in the journal, and recorded when it is back', async () => {
  const store = await open()
  restore = breakDatabase()
  const [first, second] = [await record(store), await record(store)]
  await expect(store.calls.find(first.tenant, first.callId)).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  await expect.poll(() => warnings).toContainEqual(expect.stringContaining('wait in the journal'))
  restore()
  await expect
    .poll(() => statusOf(store, first).catch(() => undefined), { timeout: 60_000 })
    .toBe('completed')
  expect(await statusOf(store, second)).toBe('completed')
  await store.close()
  expect(await journals()).toEqual([])
})

test('rows that the database had not taken when the store closed are recorded at the next start', async () => {
  const store = await open()
  restore = breakDatabase()
  const start = await record(store)
  await store.close().catch(() => undefined)
  restore()
  expect(await journals()).not.toEqual([])
  const next = await open()
  expect(await statusOf(next, start)).toBe('completed')
  await next.close()
  expect(await journals()).toEqual([])
})

test('a writer faster than the database has to wait, and nothing is refused', async () => {
  const store = await open()
  const tenant = freshTenant()
  const starts = Array.from({ length: 12_000 }, () => startOf(tenant))
  await Promise.all(starts.map((start) => record(store, start)))
  expect(await statusOf(store, starts[0] ?? startOf(tenant))).toBe('completed')
  expect(await statusOf(store, starts.at(-1) ?? startOf(tenant))).toBe('completed')
  await store.close()
  expect([warnings, await journals()]).toEqual([[], []])
})

test('a large call is recorded without the journal', async () => {
  const store = await open()
  const start = startOf(freshTenant(), { input: 'x'.repeat(100_000) })
  await record(store, start)
  const sizes = await Promise.all(
    (await journals()).map((name) => readFile(join(folder.path, name))),
  )
  expect(sizes.map(({ length }) => length)).toEqual([0])
  expect(await statusOf(store, start)).toBe('completed')
  await store.close()
})

test('without space for the journal the caller gets an error, and the next attempt writes to the table', async () => {
  const store = await open()
  await symlink('/dev/full', join(folder.path, 'journal-2'))
  // The first is in the file that is there; then the journal turns to the next.
  await record(store)
  await store.flush()
  const start = startOf(freshTenant())
  await expect(record(store, start)).rejects.toMatchObject({
    code: 'record_failed',
    message: expect.stringContaining('ENOSPC'),
  })
  expect(await statusOf(store, start)).toBeUndefined()
  await store.calls.recordWhole(start, settlementOf(start))
  expect(await statusOf(store, start)).toBe('completed')
  await store.close()
})

/** As a disk without room does: the embedded engine breaks off in the middle of its next write. */
function breakDatabase(): () => void {
  const fs = createRequire(import.meta.url)('node:fs') as {
    writeSync: (...args: unknown[]) => number
  }
  const write = fs.writeSync
  fs.writeSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), {
      code: 'ENOSPC',
      errno: -28,
    })
  }
  return () => (fs.writeSync = write)
}
