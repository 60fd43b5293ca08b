import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../pglite-database.ts'
import { PreparedTexts, isPreparable } from './pglite-prepared.ts'
import { execute } from './pglite-wire.ts'

const table =
  'create table things (id int primary key, label text, data jsonb, at timestamptz, tags text[])'
let database: Database

beforeAll(async () => {
  database = await openDatabase({})
  await execute(database, table)
})

afterEach(() => execute(database, 'deallocate all'))

afterAll(() => database.close())

const inUse = async () => {
  const [result] = await execute(
    database,
    `select statement from pg_prepared_statements where name like 'text_%'`,
  )
  return result?.rows.map(({ statement }) => statement) ?? []
}

test('a statement answers as PGlite itself does, at first and again, whatever the types', async () => {
  const texts = new PreparedTexts()
  const insert = 'insert into things values ($1, $2, $3, $4, $5)'
  const at = new Date('2026-01-02T03:04:05Z')
  const rows = [1, 2, 3].map((id) => [id, `ä ${id}`, { deep: [id] }, at, ['a "b"', `c,${id}`]])
  rows.push([4, null, undefined, null, []] as never)
  const pglite = await PGlite.create()
  await pglite.exec(table)
  for (const values of rows) {
    await pglite.query(insert, values)
    expect((await texts.query(database, insert, values)).affectedRows).toBe(1)
  }
  const select = `select *, id > $1 as is_late, array[id, 2] as list, array[at] as times, 2::int8 as eight,
    array['{"a":1}'::jsonb] as jsons, 1.5::numeric as number, '\\x00ff'::bytea as bytes from things
    where id = any($2) order by id`
  const values = [2, [1, 3, 4]]
  const expected = await pglite.query(select, values)
  expect(expected.rows).toHaveLength(3)
  for (let time = 0; time < 3; time += 1) {
    expect((await texts.query(database, select, values)).rows).toEqual(expected.rows)
  }
  expect(await inUse()).toEqual(expect.arrayContaining([insert, select]))
  await pglite.close()
})

test('rows larger than what the engine hands over at once come whole', async () => {
  const texts = new PreparedTexts()
  const text = `select repeat('ü', $1::int) as long, id from things order by id`
  for (let time = 0; time < 3; time += 1) {
    const { rows } = await texts.query(database, text, [200_000])
    expect(rows.map(({ long }) => String(long).length)).toEqual([
      200_000, 200_000, 200_000, 200_000,
    ])
  }
})

test('an error keeps its code, and the statement works afterwards', async () => {
  const texts = new PreparedTexts()
  const text = 'select 10 / $1::int as share'
  for (let time = 0; time < 3; time += 1) {
    await expect(texts.query(database, text, [0])).rejects.toMatchObject({ code: '22012' })
    expect((await texts.query(database, text, [5])).rows).toEqual([{ share: 2 }])
  }
  expect(await inUse()).toEqual([text])
})

test('a table that changed since is described again', async () => {
  const texts = new PreparedTexts()
  await execute(database, 'create table shapes (a int)')
  const text = 'select * from shapes'
  for (let time = 0; time < 3; time += 1) await texts.query(database, text)
  await execute(database, 'alter table shapes add b int; insert into shapes values (1, 2)')
  expect((await texts.query(database, text)).rows).toEqual([{ a: 1, b: 2 }])
  expect((await texts.query(database, text)).rows).toEqual([{ a: 1, b: 2 }])
})

test('a plan is kept while nothing is written, and made again shortly after a write', async () => {
  let now = 0
  const texts = new PreparedTexts(() => now)
  now += 1
  const text = 'select count(*)::int as count from things'
  const nameOf = async () => {
    await texts.query(database, text)
    const [found] = await execute(database, `select name from pg_prepared_statements`)
    return found?.rows.map(({ name }) => name)
  }
  await texts.query(database, text)
  const first = await nameOf()
  now += 250
  expect(await nameOf()).toEqual(first)
  await texts.query(database, 'update things set id = id where false')
  expect(await nameOf()).toEqual(first)
  await texts.query(database, 'update things set id = id')
  const second = await nameOf()
  expect(second).not.toEqual(first)
  expect(await nameOf()).toEqual(second)
  texts.noteChange()
  expect(await nameOf()).toEqual(second)
  now += 250
  expect(await nameOf()).not.toEqual(second)
})

test('the least used statement makes room', async () => {
  const texts = new PreparedTexts()
  for (let number = 0; number < 300; number += 1) {
    for (let time = 0; time < 2; time += 1)
      await texts.query(database, `select ${number} as number`)
  }
  expect((await inUse()).length).toBe(256)
})

test('several statements, and those that change no rows, are not prepared', () => {
  expect(isPreparable('\n  WITH a AS (select 1) select * from a')).toBe(true)
  expect(isPreparable('update things set id = 1')).toBe(true)
  expect(isPreparable('select 1; select 2')).toBe(false)
  expect(isPreparable('create table x ()')).toBe(false)
  expect(isPreparable('begin')).toBe(false)
})
