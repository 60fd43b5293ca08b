import { expect, test } from 'vitest'
import { hasWords } from './has-words.ts'

test('every word has to stand in the text, in any order and any case; nothing typed fits all', () => {
  expect(hasWords('Delete notes demo.delete-notes', 'NOTES del')).toBe(true)
  expect(hasWords('Delete notes', 'delete files')).toBe(false)
  expect(hasWords('Delete notes', '  ')).toBe(true)
})
