import { setImmediate as breathe } from 'node:timers/promises'

/** Numbers sieved in one go: a few milliseconds, so that a cancel is noticed at once. */
const segmentLength = 262_144

export interface PrimeCount {
  primes: number
  /** The largest prime in the range; null when there is none. */
  largest: number | null
}

/** Counts the primes in `from … to`, both included, with a segmented sieve of Eratosthenes. */
export async function countPrimes(
  range: { from: number; to: number },
  signal: AbortSignal,
): Promise<PrimeCount> {
  const divisors = primesUpTo(Math.floor(Math.sqrt(range.to)))
  let primes = 0
  let largest: number | null = null
  for (let from = Math.max(2, range.from); from <= range.to; from += segmentLength) {
    const found = sieve(from, Math.min(range.to, from + segmentLength - 1), divisors)
    primes += found.primes
    largest = found.largest ?? largest
    await breathe()
    signal.throwIfAborted()
  }
  return { primes, largest }
}

/** Cuts 2 … `upTo` into as many ranges of nearly equal length. */
export function splitRange(upTo: number, parts: number): { from: number; to: number }[] {
  const border = (part: number) => 1 + Math.floor(((upTo - 1) * part) / parts)
  return Array.from({ length: parts }, (_, part) => ({
    from: border(part) + 1,
    to: border(part + 1),
  }))
}

function sieve(from: number, to: number, divisors: readonly number[]): PrimeCount {
  const isComposite = new Uint8Array(to - from + 1)
  for (const divisor of divisors) {
    // Smaller multiples have a smaller divisor, which has marked them already.
    const first = Math.max(divisor * divisor, Math.ceil(from / divisor) * divisor)
    for (let multiple = first; multiple <= to; multiple += divisor) isComposite[multiple - from] = 1
  }
  let primes = 0
  for (const mark of isComposite) primes += 1 - mark
  const last = isComposite.lastIndexOf(0)
  return { primes, largest: last === -1 ? null : from + last }
}

function primesUpTo(limit: number): number[] {
  const isComposite = new Uint8Array(limit + 1)
  const primes: number[] = []
  for (let number = 2; number <= limit; number += 1) {
    if (isComposite[number] === 1) continue
    primes.push(number)
    for (let multiple = number * number; multiple <= limit; multiple += number)
      isComposite[multiple] = 1
  }
  return primes
}
