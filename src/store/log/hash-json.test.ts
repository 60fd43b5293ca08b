import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../core/kernel/tool.ts'
import { hashJson as hashUnder } from './hash-json.ts'

const hashJson = (value: JsonValue) => hashUnder(Buffer.alloc(32, 1), value)

test('the order of keys makes no difference, that of an array does', () => {
  const reverse = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(reverse)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, member]) => [key, reverse(member)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashJson(reverse(value as JsonValue))).toEqual(hashJson(value as JsonValue))
    }),
  )
  expect(hashJson([1, 2])).not.toEqual(hashJson([2, 1]))
  expect(hashJson({ a: 1 })).not.toEqual(hashJson({ a: '1' }))
})

test('a key without a value counts as absent, as it does in JSON', () => {
  expect(hashJson({ a: undefined, b: 1 } as never)).toEqual(hashJson({ b: 1 }))
})

test('the digest can not be made without the pepper', () => {
  expect(hashUnder(Buffer.alloc(32, 2), 'eu')).not.toEqual(hashJson('eu'))
})
