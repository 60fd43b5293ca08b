import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeCursor, parseCursor } from './event-cursor.ts'
import { widen } from './event-horizon.ts'

const hexDigits = [...'0123456789abcdef']
const position = fc.record({
  era: fc.nat(),
  xid: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
  stream: fc
    .array(fc.constantFrom(...hexDigits), { minLength: 32, maxLength: 32 })
    .map((digits) => digits.join('')),
  seq: fc.nat(),
})

test('every place in the feed survives its cursor', () => {
  fc.assert(
    fc.property(position, (place) => {
      expect(parseCursor(encodeCursor(place))).toEqual(place)
    }),
  )
})

test('text that no cursor is made of is refused, and never anything but a coded error', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary', minLength: 43, maxLength: 43 })),
      (text) => {
        try {
          expect(encodeCursor(parseCursor(text))).toBe(text)
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' })
        }
      },
    ),
  )
})

test('a transaction number of 32 bits is put back next to the newest, below or above it', () => {
  fc.assert(
    fc.property(
      fc.bigInt(2n ** 31n, 2n ** 60n),
      fc.bigInt(1n - 2n ** 31n, 2n ** 31n - 1n),
      (newest, behind) => {
        const number = newest - behind
        expect(widen(String(number % 2n ** 32n), String(newest))).toBe(String(number))
      },
    ),
  )
})
