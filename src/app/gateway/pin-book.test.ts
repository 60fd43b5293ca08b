import { expect, test } from 'vitest'
import type { ToolPin } from '../../core/gateway/tool-pin.ts'
import { freshStore } from '../../testing/fresh-store.fixture.ts'
import { hashDefinition } from '../../gateway/tools/tool-definition.ts'
import { createPinBook } from './pin-book.ts'

const notes = { tenant: 'default', server: 'notes' }
const anna = { kind: 'user', id: 'anna' } as const

function pinOf(mark: string): ToolPin {
  return { hash: mark.padStart(64, '0'), definition: {}, by: 'first-sight' }
}

async function openBook() {
  const { rules } = await freshStore()
  let reads = 0
  const counted = {
    ...rules,
    readUnder(...args: Parameters<typeof rules.readUnder>) {
      reads += 1
      return rules.readUnder(...args)
    },
  }
  const book = createPinBook(counted, { refresh: async () => {} })
  const hashes = async () => {
    const pins = await book.read(notes)
    return Object.fromEntries([...pins].map(([tool, pin]) => [tool, pin?.hash.replace(/^0+/, '')]))
  }
  const put = (name: string, body: ToolPin | string) =>
    rules.change('default', anna, (draft) => draft.put('mcp-pin', name, { body }))
  return { book, rules, put, hashes, reads: () => reads }
}

test('pins are read again when one of them was written, and only then', async () => {
  const { book, rules, put, hashes, reads } = await openBook()
  await book.add(notes, new Map([['search', pinOf('a')]]))
  expect([await hashes(), await hashes(), reads()]).toEqual([{ search: 'a' }, { search: 'a' }, 1])
  await put('other/search', pinOf('f'))
  expect([await hashes(), reads()]).toEqual([{ search: 'a' }, 1])
  await put('notes/search', pinOf('b'))
  expect([await hashes(), reads()]).toEqual([{ search: 'b' }, 2])
  await rules.change('default', anna, (draft) => draft.delete('mcp-pin', 'notes/search'))
  expect(await hashes()).toEqual({})
  await put('notes/search', pinOf('c'))
  expect(await hashes()).toEqual({ search: 'c' })
})

test('an existing pin stays, and an unreadable one closes its tool', async () => {
  const { book, put, hashes } = await openBook()
  await put('notes/search', pinOf('acce'))
  await put('notes/send', 'written over')
  const many = Array.from({ length: 450 }, (_, at) => [`t${at}`, pinOf(`${at}`)] as const)
  await book.add(notes, new Map([['search', pinOf('f')], ...many]))
  const found = await hashes()
  expect(Object.keys(found)).toHaveLength(452)
  expect(found).toMatchObject({ search: 'acce', t449: '449' })
  expect((await book.read(notes)).has('send')).toBe(true)
  expect(found['send']).toBeUndefined()
})

test('a pin of an earlier version is renewed, and a concurrent decision is kept', async () => {
  const { book, put } = await openBook()
  const definition = { name: 'search' }
  const old: ToolPin = { hash: hashDefinition(definition), definition, by: 'accepted' }
  const whole: ToolPin = { ...old, definition: { ...definition, _meta: null } }
  await put('notes/search', old)
  await put('notes/send', pinOf('b'))
  await book.renew(
    notes,
    new Map([
      ['search', whole],
      ['send', whole],
      ['gone', whole],
    ]),
  )
  expect(await book.read(notes)).toEqual(
    new Map([
      ['search', whole],
      ['send', pinOf('b')],
    ]),
  )
})
