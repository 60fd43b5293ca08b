import { expect, test } from 'vitest'
import { summarizeBriefly } from './summarize-briefly.ts'

test('an input is summarized in one line, lists and objects by their size', () => {
  const input = { ids: ['a', 'b'], cascade: true, lines: [{ n: 1 }], to: { city: 'X' }, none: null }
  expect(summarizeBriefly(input)).toBe(
    'ids: a, b · cascade: true · lines: 1 items · to: 1 fields · none: null',
  )
  expect(summarizeBriefly('two\n  lines')).toBe('two lines')
  expect(summarizeBriefly({})).toBe('')
})

test('the line is short however long the input is', () => {
  expect(summarizeBriefly({ text: 'x'.repeat(10_000) })).toHaveLength(141)
})
