import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { formatExactDateTime, formatDateTime } from './format-date-time.ts'
import { locale, formatNumber } from './locale.ts'

const source = path.join(import.meta.dirname, '../..')

/** Formatters and sorters that would ask the browser for its language. */
const asksTheBrowser =
  /new Intl\.\w+\((?!locale\b)|\.toLocale\w*String\((?!locale\b)|\.localeCompare\((?![^()]*, locale\))/

test('numbers, dates and times are in the language of the words', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !file.includes('.test.') && !file.endsWith('schema.ts'),
  )
  expect(files).toContain('ui/time.tsx')
  const asking = files.filter((file) =>
    asksTheBrowser.test(readFileSync(path.join(source, file), 'utf8')),
  )
  expect(asking).toEqual([])
  expect('const day = new Intl.DateTimeFormat(undefined, {})').toMatch(asksTheBrowser)
  expect('count.toLocaleString()').toMatch(asksTheBrowser)
})

test('a time of day is written with the same clock everywhere', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !file.includes('.test.'),
  )
  const other = files.filter((file) => {
    const text = readFileSync(path.join(source, file), 'utf8')
    const times = text.match(/\b(?:timeStyle|hour): '/g) ?? []
    return times.length > (text.match(/\bhourCycle\b/g) ?? []).length
  })
  expect(other).toEqual([])
  expect(formatDateTime('2026-11-17T09:07:00')).toBe('Nov 17, 2026, 09:07')
  expect(formatExactDateTime('2026-11-17T21:07:05')).toBe('Nov 17, 2026, 21:07:05')
})

test('a number is written in English', () => {
  expect(locale).toBe('en-US')
  expect(formatNumber(1_234_567.5)).toBe('1,234,567.5')
})
