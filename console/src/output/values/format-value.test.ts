import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { cut, formatValue } from './format-value.ts'
import { guessWriting } from './guess-column.ts'
import type { Writing } from './view-types.ts'

test.each<[JsonValue, Writing, string]>([
  [1234.5, {}, '1,234.5'],
  [0.123456, {}, '0.1235'],
  [-0.00001, {}, '-1.000e-5'],
  [1e21, {}, '1.000e+21'],
  [2027, { format: 'year' }, '2027'],
  [12.56, { format: 'percent' }, '12.6\u00A0%'],
  [0.125, { format: 'fraction' }, '12.5\u00A0%'],
  [51_631.47, { format: 'currency', digits: 0 }, '51,631'],
  [1234.5, { format: 'currency', currency: 'EUR' }, '€1,234.50'],
  [1234, { format: 'currency', currency: 'EUR' }, '€1,234'],
  [12.7, { format: 'integer' }, '13'],
  [2.5, { unit: 'years' }, '2.5\u00A0years'],
  [1, { unit: 'years' }, '1\u00A0year'],
  [1, { unit: 'FTE' }, '1\u00A0FTE'],
  [3, { digits: 2 }, '3.00'],
  [340, { format: 'duration' }, '340 ms'],
  [-1500, { format: 'duration' }, '-1.5 s'],
  [2_621_440, { format: 'bytes' }, '2.6 MB'],
  [null, { unit: 'years' }, '—'],
  [true, {}, 'Yes'],
  ['NaN', { format: 'number' }, 'NaN'],
  ['not a day', { format: 'date' }, 'not a day'],
  ['2026-03-01', { format: 'date' }, 'Mar 1, 2026'],
  [[], {}, '—'],
  [['a', 'b'], {}, 'a, b'],
  [[[1, 2], 3], {}, '2 values, 3'],
  [{ name: 'x', count: 2 }, {}, 'Name: x, Count: 2'],
  [{ deep: { deeper: 1 } }, {}, '1 field'],
])('%j written as %j is %s', (value, writing, said) => {
  expect(formatValue(value, writing)).toBe(said)
})

test('any value in any format becomes a bounded text, and never throws', () => {
  const formats = ['number', 'percent', 'currency', 'year', 'date', 'bytes', 'code'] as const
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...formats), (value, format) => {
      expect(typeof formatValue(value as JsonValue, { format, currency: 'ZZZ' })).toBe('string')
    }),
  )
})

test('a list that is nested ten thousand deep is summarized without recursion', () => {
  let deep: JsonValue = 1
  for (let level = 0; level < 10_000; level += 1) deep = [deep]
  expect(formatValue(deep)).toBe('1 value')
})

test('names and values decide the format', () => {
  expect(guessWriting('year', [2026, 2027])).toEqual({ format: 'year' })
  expect(guessWriting('year', [1, 2])).toEqual({})
  expect(guessWriting('returnPercent', [1.5, null])).toEqual({ format: 'percent' })
  expect(guessWriting('createdAt', ['2026-03-01T10:00:00Z'])).toEqual({ format: 'datetime' })
  expect(guessWriting('day', ['2026-03-01'])).toEqual({ format: 'date' })
  expect(guessWriting('home', ['https://example.com'])).toEqual({ format: 'link' })
  expect(guessWriting('home', ['javascript:alert(1)'])).toEqual({})
  expect(guessWriting('durationMs', [12])).toEqual({ format: 'duration' })
  expect(guessWriting('items', [12])).toEqual({})
})

test('a text is never cut within a character', () => {
  expect(cut('ab😀cd', 3)).toBe('ab…')
  expect(cut('ab😀cd', 4)).toBe('ab😀…')
  expect(cut('abcd', 4)).toBe('abcd')
})

test.each(['id', 'orderId', 'customer_id', 'invoiceNumber', 'zip', 'statusCode', 'SKU'])(
  'numbers of %s name things and have no separators',
  (key) => {
    expect(formatValue(1055, guessWriting(key, [1055, 20_001]))).toBe('1055')
  },
)

test.each(['amount', 'number', 'paid', 'decode_ms_total', 'grid'])(
  'numbers of %s are counted',
  (key) => {
    expect(formatValue(1055, guessWriting(key, [1055, 20_001]))).toBe('1,055')
  },
)

test('fractions are never ids', () => {
  expect(guessWriting('id', [1.5, 2])).toEqual({})
})
