import type { JsonValue } from '../../../core/kernel/json.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSafeLine, toSafeText } from './safe-text.ts'
import { toTableLines } from './table.ts'
import { pad, truncate, widthOf, wrap } from './text-width.ts'
import { toLabel, toOutputLines } from './value-lines.ts'

const anyCharacter = fc.integer({ min: 0, max: 0x2100 }).map((code) => String.fromCodePoint(code))
const plain = { width: 60, style: (_format: string, text: string) => text }

test.each([
  ['colours are dropped', '\u001b[31mred\u001b[0m', 'red'],
  ['a title sequence is dropped', 'a\u001b]0;owned\u0007b', 'ab'],
  ['a lone escape is shown', 'a\u001bz\u009bb', String.raw`a\x1bz\x9bb`],
  ['a carriage return can not overwrite', 'good\revil', String.raw`good\x0devil`],
  ['text can not be turned around', 'a\u202eb', String.raw`a\u202eb`],
  ['lines and tabs stay', 'a\r\n\tb', 'a\n\tb'],
])('in tool output %s', (_title, text, safe) => {
  expect(toSafeText(text)).toBe(safe)
})

test('no control character but line ends and tabs survives, whatever comes in', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(toSafeText(text)).not.toMatch(/[^\P{Cc}\n\t]/u)
      expect(toSafeLine(text)).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test('wide characters count two columns and marks none', () => {
  expect(['abc', '工具', 'e\u0301', '🧰', 'a🧰b'].map(widthOf)).toEqual([3, 4, 1, 2, 4])
})

test('a cut text never takes more columns than it was given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, width) => {
      const line = toSafeLine(text)
      expect(widthOf(truncate(line, width))).toBeLessThanOrEqual(width)
      expect(widthOf(pad(truncate(line, width), width))).toBe(width)
    }),
  )
})

test('wrapping keeps every word', () => {
  expect(wrap('one two three four', 10)).toEqual(['one two', 'three four'])
})

test('a table gives way in its widest shrinkable column and fits', () => {
  const table = {
    columns: [
      { title: 'name' },
      { title: 'n', align: 'right' as const },
      { title: 'text', shrinkTo: 5 },
    ],
    rows: [
      ['calc.add', '1', 'a rather long text that has to go'],
      ['x', '20', 'short'],
    ],
    width: 30,
  }
  expect(toTableLines(table, (text) => text)).toEqual([
    'name       n  text',
    'calc.add   1  a rather long t…',
    'x         20  short',
  ])
})

test('tables fit any terminal that leaves their shrinkable columns their least', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 40 }).map(toSafeLine)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
      fc.integer({ min: 22, max: 120 }),
      (rows, width) => {
        const columns = [
          { title: 'a', shrinkTo: 4 },
          { title: 'b', shrinkTo: 8 },
        ]
        for (const line of toTableLines({ columns, rows, width }, (text) => text)) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
        }
      },
    ),
  )
})

test('an object is a summary, flat records are a table, text is text', () => {
  const output = {
    netPresentValue: 1200.5,
    note: null,
    tags: ['a', 'b'],
    years: [
      { year: 1, cash: -100 },
      { year: 2, cash: 250 },
    ],
    text: 'two\nlines',
  }
  expect(toOutputLines(output, [], plain)).toEqual([
    'Net present value  1200.5',
    'Note               –',
    'Tags               a, b',
    'Text',
    '  two',
    '  lines',
    'Years',
    '  Year  Cash',
    '     1  -100',
    '     2   250',
  ])
  expect(toOutputLines('plain\u001b[2J', [], plain)).toEqual(['plain'])
  expect(toOutputLines([], [], plain)).toEqual(['(none)'])
})

test('sections come first, under their labels, and the rest below', () => {
  const sections = [
    { key: 'rows', label: 'By year', type: 'table' as const },
    { key: 'raw', label: 'Raw', type: 'json' as const },
    { key: 'gone', label: 'Not there', type: 'summary' as const },
  ]
  expect(toOutputLines({ total: 3, rows: [{ a: 1 }], raw: { x: [1] } }, sections, plain)).toEqual([
    'By year',
    'A',
    '1',
    '',
    'Raw',
    '{',
    '  "x": [',
    '    1',
    '  ]',
    '}',
    '',
    'Total  3',
  ])
})

test('any JSON can be shown without a control character', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const lines = toOutputLines(JSON.parse(JSON.stringify(value)), [], plain)
      expect(lines.join('')).not.toMatch(/[^\P{Cc}\t]/u)
    }),
  )
})

test('keys become labels', () => {
  expect(['netPresentValue', 'dry_run', 'ROI', 'a'].map(toLabel)).toEqual([
    'Net present value',
    'Dry run',
    'ROI',
    'A',
  ])
})

test('rich output is shown as text, and other parts are named', () => {
  const output: Record<string, JsonValue> = {
    $content: [
      { type: 'text', text: 'two\nlines\u001b[2J' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'crib://a', name: 'a file' },
    ],
  }
  expect(toOutputLines(output, [], plain)).toEqual([
    'two',
    'lines',
    '[image, image/png]',
    'a file: crib://a',
  ])
  expect(toOutputLines({ ...output, $structured: { total: 3 } }, [], plain)).toEqual(['Total  3'])
})
