import { randomBytes } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apiKeyChecksum,
  apiKeyTokenLength,
  formatApiKey,
  parseApiKey,
  toKeyText,
} from './api-key-token.ts'
import { crc32 } from './crc32.ts'

const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const word = (length: number) =>
  fc
    .array(fc.constantFrom(...letters), { minLength: length, maxLength: length })
    .map((parts) => parts.join(''))
const parts = fc.record({ id: word(10), secret: word(32) })

test('a fresh token has the documented form', () => {
  const made = { id: toKeyText(10, randomBytes), secret: toKeyText(32, randomBytes) }
  const token = formatApiKey(made)
  expect(token).toMatch(/^crib_[0-9A-Za-z]{10}_[0-9A-Za-z]{39}$/)
  expect(token).toHaveLength(apiKeyTokenLength)
  expect(parseApiKey(token)).toEqual(made)
  expect(toKeyText(32, randomBytes)).not.toBe(made.secret)
})

test('the checksum never changes, so that scanners can rely on it', () => {
  expect(apiKeyChecksum({ id: '0123456789', secret: 'A'.repeat(32) })).toBe('01bdAhI')
})

test('every token is parsed into the parts it was formatted from', () => {
  fc.assert(
    fc.property(parts, (made) => {
      expect(parseApiKey(formatApiKey(made))).toEqual(made)
    }),
  )
})

test('a token with one character changed, added or removed is not a token', () => {
  fc.assert(
    fc.property(
      parts,
      fc.nat(54),
      fc.constantFrom(...letters, '_', '-', ' '),
      (made, place, letter) => {
        const token = formatApiKey(made)
        const changed = token.slice(0, place) + letter + token.slice(place + 1)
        if (changed !== token) expect(parseApiKey(changed)).toBeUndefined()
        expect(parseApiKey(token.slice(0, place) + letter + token.slice(place))).toBeUndefined()
        expect(parseApiKey(token.slice(0, place) + token.slice(place + 1))).toBeUndefined()
      },
    ),
  )
})

test('nothing else is ever mistaken for a token', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseApiKey(text) === undefined))
})

test('the checksum matches every zlib', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters, '_') }), (text) => {
      expect(crc32(text)).toBe(zlibCrc32(text))
    }),
  )
})
