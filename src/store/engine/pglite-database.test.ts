import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, startDatabase } from './pglite-database.ts'
import { execute } from './pglite-wire.ts'

const inMemory = { dataDir: 'memory://', startParams: PGlite.defaultStartParams }
const longStatement = 'select count(*)::int as count from generate_series(1, 3000000)'
let database: Database

beforeAll(async () => {
  database = await startDatabase(inMemory)
})
afterAll(() => database.close())

test('a long statement holds up nobody else', async () => {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 5)
  const began = performance.now()
  const [result] = await execute(database, longStatement)
  const took = performance.now() - began
  clearInterval(timer)
  expect(result?.rows).toEqual([{ count: 3_000_000 }])
  expect(took).toBeGreaterThan(100)
  expect(ticks).toBeGreaterThan(took / 5 / 4)
})

test('answers come in the order of the questions', async () => {
  const all = Array.from({ length: 50 }, (_, index) => execute(database, `select ${index} as i`))
  const answers = (await Promise.all(all)).map(([result]) => result?.rows[0]?.['i'])
  expect(answers).toEqual(all.map((_, index) => index))
})

test('an error of a statement keeps its code and leaves the database as it was', async () => {
  await expect(execute(database, 'select nothing')).rejects.toMatchObject({ code: '42703' })
  await expect(execute(database, 'select 1 as one; select 1 / 0')).rejects.toMatchObject({
    code: '22012',
  })
  expect((await execute(database, 'select 1 as one'))[0]?.rows).toEqual([{ one: 1 }])
})

test('what is under way when it is abandoned fails, and so does all that is asked later', async () => {
  const other = await startDatabase(inMemory)
  const [underWay] = await Promise.all([
    execute(other, longStatement).catch((error: unknown) => error),
    sleep(20).then(() => other.abandon()),
  ])
  expect(underWay).toMatchObject({ message: 'The embedded database ended' })
  await expect(execute(other, 'select 1')).rejects.toThrow('The embedded database ended')
})

test('a folder that holds no database of its own fails to open, and no thread is left', async () => {
  const open = startDatabase({ dataDir: '/dev/null/nowhere', startParams: [] })
  await expect(open).rejects.toThrow('nowhere')
})

test('a message in memory that others share leaves theirs alone', async () => {
  const shared = Buffer.from('Qxxxxselect 7 as seven\0 and what others have there')
  const message = shared.subarray(0, shared.indexOf(0) + 1)
  message.writeInt32BE(message.length - 1, 1)
  expect((await database.send(message)).includes('seven')).toBe(true)
  expect(shared.toString()).toContain('and what others have there')
})

test('a process ends by itself with a database open, though not before it has its answer', () => {
  const program = `
    const { startDatabase } = await import(${JSON.stringify(new URL('pglite-database.ts', import.meta.url).href)})
    const { execute } = await import(${JSON.stringify(new URL('pglite-wire.ts', import.meta.url).href)})
    const database = await startDatabase(${JSON.stringify(inMemory)})
    const [{ rows }] = await execute(database, 'select 42 as answer')
    console.log(rows[0].answer)
  `
  const args = ['--input-type=module', '--eval', program]
  const { status, stdout } = spawnSync(process.execPath, args, { timeout: 30_000 })
  expect([status, stdout.toString()]).toEqual([0, '42\n'])
})
