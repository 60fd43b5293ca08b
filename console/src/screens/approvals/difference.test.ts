import { expect, test } from 'vitest'
import { difference, isSame, sayPointer } from './difference.ts'

test('what was changed, added and taken away is told by its place', () => {
  const before = { id: 'a', lines: [{ amount: 1 }, { amount: 2 }], note: 'x', same: { k: [1] } }
  const after = { id: 'b', lines: [{ amount: 1 }, { amount: 3 }, { amount: 4 }], same: { k: [1] } }
  expect(difference(before, after)).toEqual([
    { pointer: '/id', before: 'a', after: 'b' },
    { pointer: '/lines/1/amount', before: 2, after: 3 },
    { pointer: '/lines/2', after: { amount: 4 } },
    { pointer: '/note', before: 'x' },
  ])
})

test('another order of keys is no change, another type of value is one', () => {
  expect(difference({ a: 1, b: null }, { b: null, a: 1 })).toEqual([])
  expect(isSame({ a: [] }, { a: {} })).toBe(false)
  expect(difference([1], { 0: 1 })).toEqual([{ pointer: '', before: [1], after: { 0: 1 } }])
  expect(difference('1', 1)).toEqual([{ pointer: '', before: '1', after: 1 }])
})

test('keys that the prototype has are keys like others', () => {
  const hostile = JSON.parse('{"__proto__":1,"toString":2}') as never
  expect(difference({}, hostile)).toEqual([
    { pointer: '/__proto__', after: 1 },
    { pointer: '/toString', after: 2 },
  ])
})

test('places are said so that people can read them', () => {
  expect(sayPointer('/lines/1/amount')).toBe('lines › 2 › amount')
  expect(sayPointer('/a~1b/c~0d')).toBe('a/b › c~d')
  expect(sayPointer('')).toBe('All arguments')
})
