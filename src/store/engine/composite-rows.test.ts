import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Columns, decodePart, encodePart, encodeRows, joinRows } from './composite-rows.ts'

const columns = [
  ['name', 'text'],
  ['id', 'uuid'],
  ['count', 'int'],
  ['at', 'bigint'],
  ['hash', 'bytea'],
] as const satisfies Columns

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const rows = fc.array(
  fc.tuple(
    orNull(fc.string({ unit: 'grapheme' })),
    orNull(fc.uuid().map((uuid) => uuid.replaceAll('-', ''))),
    orNull(fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff })),
    orNull(fc.maxSafeInteger()),
    orNull(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
  ),
)

test('rows that were kept come back as they were', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const part = Buffer.from(encodePart(columns, given))
      expect(decodePart(columns, part)).toEqual({ rows: given, isDamaged: false })
    }),
  )
})

test('a part that was cut off somewhere gives the rows before that, and never an error', () => {
  fc.assert(
    fc.property(rows, fc.nat(2_000), (given, length) => {
      const part = Buffer.from(encodePart(columns, given)).subarray(0, length)
      const { rows: found } = decodePart(columns, part)
      expect(found).toEqual(given.slice(0, found.length))
      if (length >= encodePart(columns, given).length) expect(found).toHaveLength(given.length)
    }),
  )
})

test('parts put together are the parameter that all their rows would make at once', () => {
  fc.assert(
    fc.property(fc.array(rows), (parts) => {
      const all = parts.flat()
      const encoded = parts.map((part) => encodePart(columns, part))
      const joined = joinRows(16_500, encoded, all.length)
      expect(Buffer.compare(joined, encodeRows(16_500, columns, all))).toBe(0)
    }),
  )
})
