import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEnvelope, rewrapKey, seal, sealEnvelope, unseal } from './envelope.ts'

const key = randomBytes(32)
const other = randomBytes(32)
const content = fc.uint8Array({ maxLength: 200 })
const binding = fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 })

test('sealed text opens with its key and binding', () => {
  fc.assert(
    fc.property(content, binding, (bytes, bound) => {
      expect(Uint8Array.from(openEnvelope(key, sealEnvelope(key, bytes, bound), bound))).toEqual(
        bytes,
      )
    }),
  )
})

test('another key, another binding or one changed bit does not open', () => {
  fc.assert(
    fc.property(content, binding, fc.nat(), (bytes, bound, place) => {
      const sealed = seal(key, bytes, bound)
      const changed = Uint8Array.from(sealed)
      changed[place % changed.length]! ^= 1 << (place % 8)
      expect(() => unseal(key, changed, bound)).toThrow(Error)
      expect(() => unseal(other, sealed, bound)).toThrow(Error)
      expect(() => unseal(key, sealed, [...bound, 'more'])).toThrow(Error)
    }),
  )
})

test('a shortened tag is not taken for a whole one', () => {
  const sealed = seal(key, Buffer.from('value'), [])
  for (let length = 0; length < sealed.length; length++) {
    expect(() => unseal(key, sealed.subarray(0, length), [])).toThrow(Error)
  }
})

test('the same content is never sealed to the same bytes', () => {
  const envelopes = Array.from({ length: 50 }, () => sealEnvelope(key, Buffer.from('value'), ['x']))
  expect(new Set(envelopes.map(({ sealed }) => Buffer.from(sealed).toString('hex'))).size).toBe(50)
  expect(
    new Set(envelopes.map(({ wrappedKey }) => Buffer.from(wrappedKey).toString('hex'))).size,
  ).toBe(50)
})

test('re-wrapping changes the master key and leaves the content alone', () => {
  const envelope = sealEnvelope(key, Buffer.from('value'), ['x'])
  const moved = {
    ...envelope,
    wrappedKey: rewrapKey({ from: key, to: other }, envelope.wrappedKey, ['x']),
  }
  expect(Buffer.from(openEnvelope(other, moved, ['x'])).toString()).toBe('value')
  expect(() => openEnvelope(key, moved, ['x'])).toThrow(Error)
})
