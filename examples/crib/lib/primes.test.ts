import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countPrimes, splitRange } from './primes.ts'

const never = new AbortController().signal

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) {
    if (number % divisor === 0) return false
  }
  return number > 1
}

test('the known counts come out', async () => {
  const counts = []
  for (const to of [1, 2, 10, 100, 1_000_000, 2_000_000]) {
    counts.push(await countPrimes({ from: 2, to }, never))
  }
  expect(counts).toEqual([
    { primes: 0, largest: null },
    { primes: 1, largest: 2 },
    { primes: 4, largest: 7 },
    { primes: 25, largest: 97 },
    { primes: 78_498, largest: 999_983 },
    { primes: 148_933, largest: 1_999_993 },
  ])
})

test('any range has exactly its primes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5000), fc.nat(3000), async (from, length) => {
      const to = from + length
      const expected = Array.from({ length: length + 1 }, (_, index) => from + index).filter(
        isPrime,
      )
      expect(await countPrimes({ from, to }, never)).toEqual({
        primes: expected.length,
        largest: expected.at(-1) ?? null,
      })
    }),
  )
})

test('the parts of a range follow each other without gap or overlap', () => {
  expect(splitRange(10, 3)).toEqual([
    { from: 2, to: 4 },
    { from: 5, to: 7 },
    { from: 8, to: 10 },
  ])
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 50_000_000 }),
      fc.integer({ min: 1, max: 100 }),
      (upTo, parts) => {
        const ranges = splitRange(upTo, parts)
        expect(ranges).toHaveLength(parts)
        expect(ranges.at(-1)?.to).toBe(upTo)
        for (const [index, range] of ranges.entries()) {
          expect(range.from).toBe((ranges[index - 1]?.to ?? 1) + 1)
        }
      },
    ),
  )
})

test('an aborted count stops', async () => {
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(countPrimes({ from: 2, to: 50_000_000 }, signal)).rejects.toThrow('enough')
})
