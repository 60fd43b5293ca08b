import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitsWords } from './fits-words.ts'

test('a query matches by its words, in any order, case and composition', () => {
  expect(fitsWords('REVIEW business', ['business-review', undefined])).toBe(true)
  expect(fitsWords('zürich', ['Zu\u0308rich desk'])).toBe(true)
  expect(fitsWords('СПРАВКА', ['справка'])).toBe(true)
  expect(fitsWords('review  invoice', ['business-review'])).toBe(false)
})

test('an empty query matches everything', () => {
  for (const question of [undefined, '', ' \t ']) expect(fitsWords(question, [])).toBe(true)
})

test('every part of a text without spaces is found', () => {
  const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (whole, from, length) => {
      const part = whole.slice(from % whole.length).slice(0, (length % whole.length) + 1)
      return fitsWords(part.toUpperCase(), ['other', whole])
    }),
  )
})
