import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { difference, isSame } from './difference.ts'

test('changed, added and removed values are reported with their pointer', () => {
  const before = { id: 'a', lines: [{ amount: 1 }, { amount: 2 }], note: 'x', same: { k: [1] } }
  const after = { id: 'b', lines: [{ amount: 1 }, { amount: 3 }], same: { k: [1] }, to: 'y' }
  expect(difference(before, after)).toEqual([
    { pointer: '/id', kind: 'changed', before: 'a', after: 'b' },
    { pointer: '/lines/1/amount', kind: 'changed', before: 2, after: 3 },
    { pointer: '/note', kind: 'removed', before: 'x' },
    { pointer: '/to', kind: 'added', after: 'y' },
  ])
})

test('an item removed from a list is one change, wherever it was', () => {
  expect(difference({ ids: ['a', 'b', 'c'] }, { ids: ['b', 'c'] })).toEqual([
    { pointer: '/ids', kind: 'removed', before: 'a' },
  ])
  expect(difference(['a', 'b'], ['b', 'x'])).toEqual([
    { pointer: '', kind: 'removed', before: 'a' },
    { pointer: '', kind: 'added', after: 'x' },
  ])
  expect(difference([{ n: 1 }, { n: 2 }], [{ n: 2 }])).toEqual([
    { pointer: '', kind: 'removed', before: { n: 1 } },
  ])
})

test('a removed duplicate is reported, and a new order is a change of its own', () => {
  expect(difference(['a', 'a'], ['a'])).toEqual([{ pointer: '', kind: 'removed', before: 'a' }])
  expect(difference(['a', 'b'], ['b', 'a'])).toEqual([
    { pointer: '', kind: 'moved', before: ['a', 'b'], after: ['b', 'a'] },
  ])
})

test('two values differ exactly when a change is reported, and lists add up', () => {
  const values = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 })
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const [before, after] = [left as JsonValue, right as JsonValue]
      expect(difference(before, after).length === 0).toBe(isSame(before, after))
    }),
  )
  fc.assert(
    fc.property(values, values, (before, after) => {
      const changes = difference(before, after)
      const of = (kind: string) => changes.filter((change) => change.kind === kind).length
      expect(before.length - of('removed') + of('added')).toBe(after.length)
    }),
  )
})

test('the order of keys does not matter, the type of a value does', () => {
  expect(difference({ a: 1, b: null }, { b: null, a: 1 })).toEqual([])
  expect(isSame({ a: [] }, { a: {} })).toBe(false)
  expect(difference([1], { 0: 1 })).toEqual([
    { pointer: '', kind: 'changed', before: [1], after: { 0: 1 } },
  ])
  expect(difference('1', 1)).toEqual([{ pointer: '', kind: 'changed', before: '1', after: 1 }])
})

test('keys that the prototype also has are ordinary keys', () => {
  const hostile = JSON.parse('{"__proto__":1,"toString":2}') as never
  expect(difference({}, hostile)).toEqual([
    { pointer: '/__proto__', kind: 'added', after: 1 },
    { pointer: '/toString', kind: 'added', after: 2 },
  ])
})
