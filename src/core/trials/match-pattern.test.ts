import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../kernel/json.ts'
import { generalise } from './generalise.ts'
import { findPatternIssues, matchPattern } from './match-pattern.ts'

test.each<[JsonValue, JsonValue, boolean]>([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: 1, b: null }, { a: 1 }, false],
  [{ a: '<integer>' }, { a: 3 }, true],
  [{ a: '<integer>' }, { a: 3.5 }, false],
  ['<string>', 'x', true],
  ['<string>', 1, false],
  ['\\<string>', '<string>', true],
  ['\\<string>', 'x', false],
  ['<unknown>', '<unknown>', true],
  ['<date>', '2026-01-31T10:00:00Z', true],
  ['<date>', 'soon', false],
  ['<url>', 'https://example.com/a', true],
  ['<uuid>', '2f6d3f0e-1b8c-4b57-9df1-6f2b7b7b0b11', true],
  ['<any>', null, true],
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 2, 3], false],
  [[1, 2], [1], false],
  [['<string>', '<more>'], ['a', 'b', 'c'], true],
  [['<string>', '<more>'], [], true],
  [['<string>', '<more>'], ['a', 1], false],
  [[1, '<string>', '<more>'], [1], true],
  [[1, '<string>', '<more>'], [], false],
  [{ a: {} }, { a: { b: 1 } }, true],
  [{ a: {} }, { a: [] }, false],
  [{ constructor: '<any>' }, {}, false],
])('%j against %j: %s', (pattern, value, isMatch) => {
  expect(matchPattern(pattern, value).length === 0).toBe(isMatch)
})

test('a mismatch names its place and both values', () => {
  expect(matchPattern({ rows: [{ id: '<string>' }] }, { rows: [{ id: 7 }] })).toEqual([
    { path: '/rows/0/id', message: 'is 7, not <string>' },
  ])
})

test('a type that does not exist is found before the test runs', () => {
  expect(findPatternIssues({ a: ['<strnig>'] }, '/output')).toMatchObject([{ path: '/output/a/0' }])
  expect(findPatternIssues({ a: ['<string>', '<more>'], b: '<b c>' }, '')).toEqual([])
})

test('every output matches the pattern that is made of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const output = value as JsonValue
      expect(matchPattern(generalise(output), output)).toEqual([])
    }),
  )
})

test('a pattern keeps states and forgets values', () => {
  expect(
    generalise({
      id: 'in_8213',
      state: 'open',
      total: 12.5,
      lines: 3,
      paid: false,
      at: '2026-01-31T10:00:00Z',
      rows: [{ name: 'Ada Lovelace' }, { name: 'Bob Ross' }],
      mixed: [1, 'Two words'],
      key: '[redacted:stripe_key]',
    }),
  ).toEqual({
    id: '<string>',
    state: 'open',
    total: '<number>',
    lines: '<integer>',
    paid: false,
    at: '<date>',
    rows: [{ name: '<string>' }, '<more>'],
    mixed: '<array>',
    key: '<string>',
  })
})
