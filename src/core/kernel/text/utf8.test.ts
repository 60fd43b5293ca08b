import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutJsonText, utf8Length } from './utf8.ts'

test('bytes are counted as they are encoded, also across the windows of a long text', () => {
  const long = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat({ max: 4 }))
    .map(([piece, shift]) => 'x'.repeat(shift) + `${piece}😀é`.repeat(2000))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), long), (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text))
    }),
    { numRuns: 20 },
  )
})

test('a lone surrogate counts as the character that replaces it', () => {
  expect([utf8Length('\ud83d'), utf8Length('\ude00'.repeat(100))]).toEqual([3, 300])
})

test('a text is cut at the last whole character that fits in its JSON form', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.nat({ max: 80 }),
      (text, maxBytes) => {
        const cost = (part: string) => Buffer.byteLength(JSON.stringify(part)) - 2
        const cut = cutJsonText(text, maxBytes)
        expect(text.startsWith(cut) && cut.isWellFormed()).toBe(true)
        expect(cost(cut)).toBeLessThanOrEqual(maxBytes)
        const next = Array.from(text.slice(cut.length))[0]
        if (next !== undefined) expect(cost(cut + next)).toBeGreaterThan(maxBytes)
      },
    ),
  )
})
