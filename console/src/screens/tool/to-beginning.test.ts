import { expect, test } from 'vitest'
import { toBeginning } from './to-beginning.ts'

test('keeps the first sentence, or whole words of a long one', () => {
  expect(toBeginning('Reads one page. Use web.search first.')).toBe('Reads one page.')
  expect(toBeginning('No end')).toBe('No end')
  expect(toBeginning(`${'word '.repeat(80)}.`)).toMatch(/^(?:word ){40,47}word…$/)
  expect(toBeginning('x'.repeat(500))).toHaveLength(241)
})
