import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonFault, isNestedDeeperThan } from './json-text.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const almostJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom('', ',', '"', '}', ']', '{', '0', '\\', ' ', '\u0001'),
  )
  .map(([text, at, piece]) => {
    const cut = at % (text.length + 1)
    return text.slice(0, cut) + piece + text.slice(cut + (at % 3))
  })

test('a fault is found exactly where the engine refuses too', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), almostJson, fc.string()), (text) => {
      expect(findJsonFault(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['', { position: 0, line: 1, column: 1, expected: 'a value' }],
  ['{"a":1,}', { position: 7, line: 1, column: 8, expected: 'a key in double quotes' }],
  ['{\n  "a" 1}', { position: 8, line: 2, column: 7, expected: 'a colon' }],
  ['[1 2]', { position: 3, line: 1, column: 4, expected: ', or ]' }],
  ['{"a":"x', { position: 7, line: 1, column: 8, expected: 'the closing quote of a string' }],
  ['{"a":"\\x"}', { position: 6, line: 1, column: 7, expected: 'a known escape' }],
  ['{"a":undefined}', { position: 5, line: 1, column: 6, expected: 'a value' }],
  ['{} {}', { position: 3, line: 1, column: 4, expected: 'the end' }],
  ['01', { position: 1, line: 1, column: 2, expected: 'the end' }],
])('the fault in %j has its place', (text, fault) => {
  expect(findJsonFault(text)).toEqual(fault)
})

test('a megabyte of escapes or brackets is scanned without overflowing', () => {
  expect(findJsonFault(`"${'\\n'.repeat(500_000)}"`)).toBeUndefined()
  expect(findJsonFault('['.repeat(1_000_000))?.position).toBe(1_000_000)
})

test('depth counts brackets outside of strings', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(isNestedDeeperThan(nested(200), 200)).toBe(false)
  expect(isNestedDeeperThan(nested(201), 200)).toBe(true)
  expect(isNestedDeeperThan(JSON.stringify('['.repeat(500)), 200)).toBe(false)
  expect(isNestedDeeperThan(JSON.stringify(`\\"${'['.repeat(500)}`), 200)).toBe(false)
  expect(isNestedDeeperThan('[],'.repeat(500), 200)).toBe(false)
  expect(isNestedDeeperThan('{"a":'.repeat(300), 200)).toBe(true)
})
