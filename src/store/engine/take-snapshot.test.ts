import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkAll } from '../../features/audit/store/testing/audit-records.ts'
import { startChild } from '../contract/child.ts'
import { freshTenant, settingsFor, settlementOf, startOf } from '../contract/records.ts'
import { createTempFolder } from '../contract/temp-store.ts'
import { openEngine } from '../open-store.ts'
import { openStores } from '../../features/open-stores.ts'
import { ensurePrebuiltFolder } from './pglite/prebuilt-folder.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeEach(async () => {
  await ensurePrebuiltFolder()
  folder = await createTempFolder()
})
afterEach(() => folder.remove())

const place = (name: string) => join(folder.path, name)
const at = (name: string) => ({ kind: 'pglite', dataDir: place(name) }) as const

test('a snapshot under load holds all that was acknowledged before it began, and its chain is whole', async () => {
  const tenant = freshTenant()
  const store = await openStores(at('live'), settingsFor())
  const acknowledged: string[] = []
  const state = { isOver: false, isCopied: false }
  // On a busy machine a snapshot takes long, and longer the more is written during it.
  const isEnough = () => !state.isCopied && acknowledged.length >= 1_500
  const write = async (worker: number) => {
    for (let round = 0; !state.isOver; round += 1) {
      if (isEnough()) {
        await expect.poll(isEnough).toBe(false)
        continue
      }
      const start = startOf(tenant, { input: { worker, text: 'x'.repeat(2_000) } })
      // Half of them by way of the journal.
      if (round % 2 === 0) {
        await store.calls.recordWhole(start, settlementOf(start), { isNew: true })
      } else {
        await store.calls.open(start)
        await store.calls.settle(settlementOf(start))
      }
      acknowledged.push(start.callId)
    }
  }
  const work = Promise.all(Array.from({ length: 8 }, (_, worker) => write(worker)))
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(300)
  await store.audit.seal(tenant)
  const before = [...acknowledged]
  const report = await store.snapshot?.(place('copy'))
  const count = acknowledged.length
  state.isCopied = true
  // Long after the snapshot, the original still works.
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(count + 100)
  state.isOver = true
  await work
  await store.close()
  expect(report).toMatchObject({ files: expect.any(Number), bytes: expect.any(Number) })

  const copy = await openStores(at('copy'), settingsFor())
  try {
    const missing: string[] = []
    for (const callId of before) {
      if ((await copy.calls.find(tenant, callId))?.status !== 'completed') missing.push(callId)
    }
    expect(missing).toEqual([])
    await copy.audit.seal(tenant)
    expect(await checkAll(copy, tenant)).toMatchObject({ problems: [], unsealed: 0 })
  } finally {
    await copy.close()
  }
})

test('a plain copy of an open folder is refused, and the folder itself is not, also after a kill', async () => {
  const child = startChild('write-calls.ts', [JSON.stringify(at('live')), freshTenant()])
  await child.printed(50)
  await cp(place('live'), place('copy'), { recursive: true, preserveTimestamps: true })
  child.process.kill('SIGKILL')
  await child.ended
  // Nothing else in it shows that: it is refused even without its lock.
  await rm(join(place('copy'), 'lock'), { recursive: true })
  await expect(openEngine(at('copy'), () => {})).rejects.toMatchObject({
    code: 'data_damaged',
    retryable: false,
    fix: expect.stringContaining('toolcrib backup'),
  })
  await (await openEngine(at('live'), () => {})).close()
  await cp(place('live'), place('cold'), { recursive: true })
  await (await openEngine(at('cold'), () => {})).close()
})

test('damaged files get their own error, which does not suggest a retry', async () => {
  await (await openEngine(at('whole'), () => {})).close()
  const damage = {
    control: (db: string) => writeFile(join(db, 'global', 'pg_control'), Buffer.alloc(8192)),
    log: async (db: string) => {
      for (const name of await readdir(join(db, 'pg_wal')))
        await rm(join(db, 'pg_wal', name), { recursive: true })
    },
    tables: async (db: string) => {
      const own = join(db, 'base', '5')
      for (const name of await readdir(own)) {
        if (/^\d+$/.test(name) && Number(name) > 16_384)
          await writeFile(join(own, name), Buffer.alloc(8192, 7))
      }
    },
  }
  for (const [name, harm] of Object.entries(damage)) {
    await cp(place('whole'), place(name), { recursive: true })
    await harm(join(place(name), 'db'))
    await expect(
      openEngine(at(name), () => {}),
      name,
    ).rejects.toMatchObject({
      code: 'data_damaged',
      retryable: false,
      fix: expect.stringContaining('toolcrib restore'),
    })
  }
})
