import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { toCsv, toTsv } from './delimited.ts'
import { toTable } from './table-model.ts'

function csvOf(value: JsonValue): string {
  const table = toTable(value)
  return table === undefined ? '' : toCsv(table).join('')
}

test('values are written as they are, quoted where they must be', () => {
  expect(csvOf([{ name: 'a "b", c', count: -5, at: null, list: [1, 2] }])).toBe(
    '\uFEFFName,Count,At,List\r\n"a ""b"", c",-5,,"[1,2]"\r\n',
  )
})

test.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1+cmd|calc', `"'+1+cmd|calc"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['-2+3', `"'-2+3"`],
  ['\t=1', `"'\t=1"`],
  ['＝1+1', `"'＝1+1"`],
  [' \u200B=1', `"' \u200B=1"`],
])('%j can not be a formula', (text, cell) => {
  expect(csvOf([{ a: text, b: 'x' }])).toBe(`\uFEFFA,B\r\n${cell},x\r\n`)
})

test('numbers as text stay numbers', () => {
  expect(csvOf([{ a: '-5', b: '1e3' }])).toBe('\uFEFFA,B\r\n-5,1e3\r\n')
})

test('no cell of any text begins what a spreadsheet would run', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const cell = csvOf([{ a: text }])
        .slice('\uFEFFA\r\n'.length)
        .replace(/^"/, '')
      const isNumber = /^-?\d/.test(text)
      expect(isNumber || !/^[=+\-@]/.test(cell)).toBe(true)
    }),
  )
})

test('pasted text has one line per row, whatever the cells hold', () => {
  const table = toTable([{ a: 'x\ty\nz', b: '=1' }])
  expect(table && toTsv(table)).toBe("A\tB\r\nx y z\t'=1\r\n")
})

test('keys that mean something to JavaScript are keys like others', () => {
  const rows = JSON.parse('[{"__proto__": 1, "constructor": "x"}, {"toString": 2}]') as JsonValue
  expect(csvOf(rows)).toBe('\uFEFFProto,Constructor,To string\r\n1,x,\r\n,,2\r\n')
})
