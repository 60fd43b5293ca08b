import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJsonValue } from './to-json-value.ts'

test('JSON is returned equal, as a copy that later changes of the original do not affect', () => {
  const original = { id: 'in_1', total: 12.5, ok: true, items: [{ a: null }] }
  const { value, warnings } = toJsonValue(original)
  original.items.push({ a: null })
  expect({ value, warnings }).toEqual({
    value: { id: 'in_1', total: 12.5, ok: true, items: [{ a: null }] },
    warnings: [],
  })
})

class Invoice {
  id = 'in_1'
  #total = 5
  get total() {
    return this.#total
  }
}

test.each([
  ['undefined', undefined, null],
  ['undefined in an object', { a: undefined, b: 1 }, { b: 1 }],
  ['undefined in an array', [undefined, 1], [null, 1]],
  ['a BigInt', 12345678901234567890n, '12345678901234567890'],
  ['negative zero', -0, 0],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an invalid date', new Date(NaN), null],
  ['a map with text keys', new Map([['a', new Map([['b', 1n]])]]), { a: { b: '1' } }],
  ['a map with other keys', new Map([[1, 'a']]), [[1, 'a']]],
  ['a map with the key __proto__', new Map([['__proto__', 1]]), JSON.parse('{"__proto__":1}')],
  ['a set', new Set([1, { a: 1 }]), [1, { a: 1 }]],
  ['bytes', new Uint8Array([104, 105]), { base64: 'aGk=', bytes: 2 }],
  ['a buffer', Buffer.from('hi'), { base64: 'aGk=', bytes: 2 }],
  ['an array buffer', new Uint8Array([104, 105]).buffer, { base64: 'aGk=', bytes: 2 }],
  ['numbers in a typed array', new Float64Array([0.5, 2]), [0.5, 2]],
  ['big numbers in a typed array', new BigInt64Array([5n]), ['5']],
  ['an error', new TypeError('bad'), { name: 'TypeError', message: 'bad' }],
  [
    'an error with a code',
    Object.assign(new Error('x'), { code: 'E1', path: '/a' }),
    { name: 'Error', message: 'x', code: 'E1' },
  ],
  ['a class instance', new Invoice(), { id: 'in_1' }],
  ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['toJSON', { toJSON: () => ({ a: 1n }) }, { a: '1' }],
  ['toJSON that gives itself', toJsonOfItself(), { a: 1 }],
  ['an address', new URL('https://example.com/a'), 'https://example.com/a'],
  ['a boxed value', [Object('a'), Object(1), Object(true), Object(1n)], ['a', 1, true, '1']],
  ['a pattern', /a+/g, '/a+/g'],
  ['a sparse array', Object.assign([], { length: 2, 1: 'a' }), [null, 'a']],
  ['a symbol key', { [Symbol('a')]: 1, b: 2 }, { b: 2 }],
])('%s has its form in JSON', (_, given, expected) => {
  expect(toJsonValue(given)).toEqual({ value: expected, warnings: [] })
})

test.each<{ what: string; given: unknown; value: unknown; warning: string }>([
  { what: 'NaN', given: { a: NaN }, value: { a: null }, warning: '/a: NaN became null' },
  { what: 'infinity', given: -Infinity, value: null, warning: 'The output: -Infinity became null' },
  {
    what: 'a function',
    given: { a: () => 1, b: 2 },
    value: { b: 2 },
    warning: '/a: a function was left out',
  },
  {
    what: 'a function alone',
    given: () => 1,
    value: null,
    warning: 'The output: a function was left out',
  },
  { what: 'a symbol', given: [Symbol('a')], value: [null], warning: '/0: a symbol was left out' },
  {
    what: 'a promise',
    given: { a: Promise.resolve(1) },
    value: { a: null },
    warning: '/a: a promise was not awaited',
  },
  {
    what: 'a throwing getter',
    given: throwingGetter(),
    value: { a: '[unreadable]', b: 1 },
    warning: '/a: became [unreadable]',
  },
  {
    what: 'a throwing toJSON',
    given: { a: { toJSON: fail } },
    value: { a: '[unreadable]' },
    warning: '/a: became [unreadable]',
  },
  {
    what: 'a hostile proxy',
    given: { a: new Proxy({}, { ownKeys: fail }) },
    value: { a: '[unreadable]' },
    warning: '/a: became [unreadable]',
  },
  {
    what: 'a revoked proxy',
    given: [revokedProxy()],
    value: ['[unreadable]'],
    warning: '/0: became [unreadable]',
  },
  {
    what: 'a key with a slash',
    given: { 'a/~b': NaN },
    value: { 'a/~b': null },
    warning: '/a~1~0b: NaN became null',
  },
])('$what is replaced or left out, with a warning', ({ given, value, warning }) => {
  expect(toJsonValue(given)).toEqual({ value, warnings: [warning] })
})

test('a cycle is cut where it closes, and shared values are not', () => {
  const part = { a: 1 }
  const cyclic: Record<string, unknown> = { first: part, second: part }
  cyclic.self = { again: [cyclic] }
  expect(toJsonValue(cyclic)).toEqual({
    value: { first: { a: 1 }, second: { a: 1 }, self: { again: ['[circular]'] } },
    warnings: ['/self/again/0: became [circular]'],
  })
})

test('characters that no JSON store can hold are replaced, in texts and in keys', () => {
  const { value, warnings } = toJsonValue({ 'k\0': 'a\0b', c: '\ud83dx', d: '😀' })
  expect(value).toEqual({ 'k\uFFFD': 'a\uFFFDb', c: '\uFFFDx', d: '😀' })
  expect(warnings.length).toBe(3)
})

test('a __proto__ member stays a member and changes no prototype', () => {
  const { value } = toJsonValue(JSON.parse('{"__proto__":{"isAdmin":true}}'))
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined()
})

test('more than a hundred levels are cut', () => {
  let deep: unknown = 'core'
  for (let level = 0; level < 50_000; level++) deep = [deep]
  const { value, warnings } = toJsonValue(deep)
  expect(JSON.stringify(value)).toBe(`${'['.repeat(100)}"[too deep]"${']'.repeat(100)}`)
  expect(warnings.length).toBe(1)
})

test('an object that expands exponentially ends', () => {
  let unfolding: unknown = [1]
  for (let level = 0; level < 60; level++) unfolding = [unfolding, unfolding]
  const { value, warnings } = toJsonValue(unfolding)
  expect(JSON.stringify(value).length).toBeLessThan(20_000_000)
  expect(warnings).toEqual([
    expect.stringContaining('became [too large], as did everything after it'),
  ])
})

test('texts that are too large in total are cut, so that the value can still be written', () => {
  const text = 'x'.repeat(40 * 1024 * 1024)
  const { value, warnings } = toJsonValue([text, text, text])
  expect((value as string[]).map((item) => item.length)).toEqual([
    text.length,
    24 * 1024 * 1024 + 11,
    11,
  ])
  expect(warnings).toEqual(['/1: became [too large], as did everything after it'])
})

test('an array that claims four billion places ends', () => {
  const claiming = Object.assign([], { length: 4_000_000_000 })
  expect((toJsonValue(claiming).value as unknown[]).length).toBe(2_000_000)
})

test('many warnings are counted, not collected', () => {
  const { warnings } = toJsonValue(Array.from({ length: 1000 }, () => NaN))
  expect([warnings.length, warnings.at(-1)]).toEqual([21, 'and 980 more of this kind'])
})

test('any value becomes JSON that parses back to itself', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withBoxedValues: true,
    withObjectString: true,
  })
  fc.assert(
    fc.property(anything, (given) => {
      const { value } = toJsonValue(given)
      const text = JSON.stringify(value)
      expect(JSON.parse(text)).toEqual(value)
      expect(text.isWellFormed() && !text.includes('\\u0000')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('JSON values are unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (given) => {
      const { value, warnings } = toJsonValue(given)
      if (warnings.length === 0) expect(value).toEqual(JSON.parse(JSON.stringify(given)))
    }),
  )
})

function fail(): never {
  throw new Error('no')
}

function throwingGetter(): object {
  return Object.defineProperty({ b: 1 }, 'a', { get: fail, enumerable: true })
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function toJsonOfItself(): object {
  return Object.defineProperty({ a: 1 }, 'toJSON', {
    value(this: object) {
      return this
    },
  })
}
