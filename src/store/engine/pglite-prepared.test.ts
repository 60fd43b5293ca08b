import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PreparedTexts, isPreparable } from './pglite-prepared.ts'

let pglite: PGlite

beforeAll(async () => {
  pglite = await PGlite.create()
  await pglite.exec(
    'create table things (id int primary key, label text, data jsonb, at timestamptz)',
  )
})

afterEach(() => pglite.exec('deallocate all'))

afterAll(() => pglite.close())

const inUse = async () => {
  const { rows } = await pglite.query<{ statement: string }>(
    `select statement from pg_prepared_statements where name like 'text_%'`,
  )
  return rows.map(({ statement }) => statement)
}

test('a statement that comes again answers as PGlite itself does, whatever the types', async () => {
  const texts = new PreparedTexts()
  const insert = 'insert into things values ($1, $2, $3, $4)'
  const at = new Date('2026-01-02T03:04:05Z')
  for (const id of [1, 2, 3]) {
    const { affectedRows } = await texts.query(pglite, insert, [id, `ä ${id}`, { deep: [id] }, at])
    expect(affectedRows).toBe(1)
  }
  await texts.query(pglite, insert, [4, null, undefined, null])
  const select = 'select *, id > $1 as is_late, array[id, 2] as list from things order by id'
  const expected = await pglite.query(select, [2])
  for (let time = 0; time < 3; time += 1) {
    expect((await texts.query(pglite, select, [2])).rows).toEqual(expected.rows)
  }
  expect(await inUse()).toEqual(expect.arrayContaining([insert, select]))
})

test('rows larger than what the engine hands over at once come whole', async () => {
  const texts = new PreparedTexts()
  const text = `select repeat('ü', $1::int) as long, id from things order by id`
  for (let time = 0; time < 3; time += 1) {
    const { rows } = await texts.query(pglite, text, [200_000])
    expect(rows.map(({ long }) => String(long).length)).toEqual([
      200_000, 200_000, 200_000, 200_000,
    ])
  }
})

test('an error keeps its code, and the statement works afterwards', async () => {
  const texts = new PreparedTexts()
  const text = 'select 10 / $1::int as share'
  for (let time = 0; time < 3; time += 1) {
    await expect(texts.query(pglite, text, [0])).rejects.toMatchObject({ code: '22012' })
    expect((await texts.query(pglite, text, [5])).rows).toEqual([{ share: 2 }])
  }
  expect(await inUse()).toEqual([text])
})

test('a table that changed since is read anew', async () => {
  const texts = new PreparedTexts()
  await pglite.exec('create table shapes (a int)')
  const text = 'select * from shapes'
  for (let time = 0; time < 3; time += 1) await texts.query(pglite, text)
  await pglite.exec('alter table shapes add b int; insert into shapes values (1, 2)')
  expect((await texts.query(pglite, text)).rows).toEqual([{ a: 1, b: 2 }])
  expect((await texts.query(pglite, text)).rows).toEqual([{ a: 1, b: 2 }])
})

test('what nobody says any more makes room', async () => {
  const texts = new PreparedTexts()
  for (let number = 0; number < 300; number += 1) {
    for (let time = 0; time < 2; time += 1) await texts.query(pglite, `select ${number} as number`)
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
