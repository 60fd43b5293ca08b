import { canonicalJson } from './kernel/json/canonical-json.ts'
import type { ToolContract } from './kernel/tool.ts'

/** Short enough to read out, long enough that two versions of one tool never share it. */
const digits = 12

/**
 * The version of a tool: the start of the SHA-256 of its contract, regardless of key order, and of
 * its code if the source knows it. Costs about a tenth of a millisecond.
 */
export function toToolVersion(contract: ToolContract, codeDigest = ''): string {
  // A tool does the same with other tests.
  const { tests: _tests, ...facts } = contract
  return sha256(`${canonicalJson(facts)}\n${codeDigest}`).slice(0, digits)
}

/** The version of a draft that is tried for real. Only calls of that trial run it. */
export function toDraftVersion(hash: string): string {
  return `${draftPrefix}${hash}`
}

/** The hash of the draft that a version is of; undefined for a published one. */
export function draftHashOf(version: string): string | undefined {
  return version.startsWith(draftPrefix) ? version.slice(draftPrefix.length) : undefined
}

/** No version that a document can name begins so. */
const draftPrefix = 'draft-'

const roundConstants = firstPrimes(64).map((prime) => fractionBits(Math.cbrt(prime)))
const initialState = firstPrimes(8).map((prime) => fractionBits(Math.sqrt(prime)))

/** In hex. Core has no `node:crypto`, and the web API is asynchronous. */
export function sha256(text: string): string {
  const words = toWords(new TextEncoder().encode(text))
  const state = [...initialState]
  const schedule = new Int32Array(64)
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16))
    mix(state, expand(schedule))
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Padded to whole blocks: one bit, zeros, the length in bits. */
function toWords(bytes: Uint8Array): Int32Array {
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) << 4)
  bytes.forEach((byte, at) => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at % 4) * 8))
  })
  const end = bytes.length
  words[end >> 2] = (words[end >> 2] ?? 0) | (0x80 << (24 - (end % 4) * 8))
  words[words.length - 1] = end * 8
  return words
}

function expand(schedule: Int32Array): Int32Array {
  const at = (index: number) => schedule[index] ?? 0
  for (let index = 16; index < 64; index++) {
    const [early, late] = [at(index - 15), at(index - 2)]
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    schedule[index] = at(index - 16) + low + at(index - 7) + high
  }
  return schedule
}

function mix(state: number[], schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as Eight
  for (let round = 0; round < 64; round++) {
    const choice = (e & f) ^ (~e & g)
    const added = (schedule[round] ?? 0) + (roundConstants[round] ?? 0)
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + added) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = ((state[index] ?? 0) + value) | 0
  }
}

type Eight = [number, number, number, number, number, number, number, number]

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function fractionBits(value: number): number {
  return ((value - Math.floor(value)) * 0x1_0000_0000) | 0
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}
