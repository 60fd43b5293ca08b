import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('keys are sorted at every depth, arrays keep their order', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }, 1], a: null })).toBe(
    '{"a":null,"b":[{"c":2,"d":1},1]}',
  )
})

test('values that JSON cannot represent are treated as JSON treats them', () => {
  expect(canonicalJson({ a: undefined, b: [undefined, NaN], c: -0 })).toBe(
    '{"b":[null,null],"c":0}',
  )
  expect(canonicalJson(undefined)).toBe('null')
})

test('a __proto__ member counts like any other', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
})

test('a value nested too deeply is refused instead of overflowing the stack', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(() => canonicalJson(deep)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})

test('equal values have the same text whatever the order of their keys, and it parses back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(reverseKeys(value))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('different values have different texts', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const isSame = canonicalJson(one) === canonicalJson(other)
      if (isSame) expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)))
    }),
  )
})

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  const reversed = Object.entries(value).toReversed()
  return Object.fromEntries(reversed.map(([key, member]) => [key, reverseKeys(member)]))
}
