import { expect, test } from 'vitest'
import { numberPath, safeFileName } from './safe-file-name.ts'

test.each([
  ['report.csv', 'report.csv'],
  ['../../etc/passwd', 'passwd'],
  [String.raw`C:\temp\q1 .txt`, 'q1 .txt'],
  ['.bashrc', 'bashrc'],
  ['-rf', 'rf'],
  ['a\u202Egnp.exe', 'agnp.exe'],
  ['line\nbreak\0.txt', 'linebreak.txt'],
  ['`id`$(id)|x.txt', '_id__(id)_x.txt'],
  ['..', 'file.csv'],
  ['', 'file.csv'],
  [undefined, 'file.csv'],
  ['\uD800', '\uFFFD'],
])('%j becomes %j', (name, expected) => {
  expect(safeFileName(name, 'text/csv')).toBe(expected)
})

test('a long name keeps its extension and whole characters', () => {
  const name = safeFileName(`${'音'.repeat(300)}.csv`, 'text/csv')
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180)
  expect(name).toMatch(/^音+\.csv$/)
})

test('a number goes before the extension', () => {
  expect(numberPath('a.b/report.csv', 1)).toBe('a.b/report.csv')
  expect(numberPath('a.b/report.csv', 2)).toBe('a.b/report-2.csv')
  expect(numberPath('a.b/report', 3)).toBe('a.b/report-3')
  expect(numberPath('.env', 2)).toBe('.env-2')
})
