import { toCanonicalText } from '../../../core/kernel/json/deep-equal.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/json.ts'
import { isRedacted } from '../../../core/secrets/is-redacted.ts'
import { schemaAt, typesOf } from '../../../core/shapes/schema-at.ts'
import { toPath } from './value-path.ts'

/** Something whose values later steps may use: the input, or the output of a step. */
export interface ValueSource {
  /** `input`, `steps.find.output`. */
  root: string
  schema: JsonSchema | undefined
  /** No value of it can be used before. */
  endedAt: number
}

interface Place {
  keys: readonly (string | number)[]
  /** The nearest name above it. */
  name: string | undefined
}

/** Where a value is used. */
export interface ValueUse {
  /** The nearest name above it: a value with the same name is the likely one. */
  name: string | undefined
  /** The schema of the field that takes it. */
  schema: JsonSchema | undefined
  /** When the step began. */
  startedAt: number
}

/** The reference to a value; `ambiguous` if it has several that are equally likely. */
export type FoundValue = { path: string } | 'ambiguous' | undefined

interface HeldSource extends ValueSource {
  places: Map<string, Place[]>
}

/** More of one output is not read: a step rarely rests on the ten-thousandth value. */
const maxPlaces = 20_000
const maxDepth = 24
const maxWithinChars = 500

/** The values that are known so far, in the order in which they appeared. */
export class KnownValues {
  readonly #sources: HeldSource[] = []
  /** Texts that may be parts of others. */
  readonly #texts = new Set<string>()
  /** How long those are that begin with these four characters. */
  readonly #lengths = new Map<string, Set<number>>()

  add(source: ValueSource, value: JsonValue): void {
    const held = { ...source, places: new Map<string, Place[]>() }
    this.#sources.push(held)
    this.#collect(held, value)
  }

  /** A value that a source has in addition. */
  extend(root: string, name: string, value: JsonValue): void {
    const held = this.#sources.findLast((source) => source.root === root)
    if (held !== undefined) this.#note(held, value, { keys: [name], name })
  }

  /** The first source that has it is where it comes from: others repeat it. */
  find(value: JsonValue, use: ValueUse): FoundValue {
    if (isTrivial(value)) return undefined
    const text = toCanonicalText(value)
    if (text.length < minChars(value)) return undefined
    for (const source of this.#sources) {
      if (source.endedAt > use.startedAt) continue
      const places = (source.places.get(text) ?? []).filter(
        (place) => isLikely(value, source, place.name === use.name) && fits(source, place, use),
      )
      if (places.length > 0) return choose(places, source, use)
    }
    return undefined
  }

  /** The longest known value that begins here in a text, as a text. */
  findWithin(text: string, at: number): string | undefined {
    if (isWord(text[at - 1])) return undefined
    let longest: string | undefined
    for (const length of this.#lengths.get(text.slice(at, at + 4)) ?? []) {
      if (length <= (longest?.length ?? 0) || isWord(text[at + length])) continue
      const part = text.slice(at, at + length)
      if (this.#texts.has(part)) longest = part
    }
    return longest
  }

  /** The reference to a value that is a part of a text. */
  findText(text: string, use: Omit<ValueUse, 'schema'>): FoundValue {
    const found = this.find(text, { ...use, schema: undefined })
    const number = Number(text)
    if (found !== undefined || String(number) !== text) return found
    return this.find(number, { ...use, schema: undefined })
  }

  #collect(held: HeldSource, root: JsonValue): void {
    let left = maxPlaces
    const visit = (value: JsonValue, place: Place): void => {
      left -= 1
      if (left < 0 || place.keys.length > maxDepth) return
      this.#note(held, value, place)
      if (Array.isArray(value)) {
        value.forEach((item, index) => visit(item, { ...place, keys: [...place.keys, index] }))
      } else if (isRecord(value)) {
        for (const [name, member] of Object.entries(value)) {
          if (name !== '__proto__') visit(member, { name, keys: [...place.keys, name] })
        }
      }
    }
    visit(root, { keys: [], name: undefined })
  }

  #note(held: HeldSource, value: JsonValue, place: Place): void {
    if (isTrivial(value)) return
    const text = toCanonicalText(value)
    if (text.length < minChars(value) || isRedacted(text)) return
    const known = held.places.get(text)
    if (known === undefined) held.places.set(text, [place])
    else known.push(place)
    if (typeof value === 'string' || typeof value === 'number') this.#noteText(String(value))
  }

  #noteText(text: string): void {
    if (!isTelling(text) || text.length > maxWithinChars) return
    this.#texts.add(text)
    const start = text.slice(0, 4)
    const known = this.#lengths.get(start)
    if (known === undefined) this.#lengths.set(start, new Set([text.length]))
    else known.add(text.length)
  }
}

/** Values that are equal by chance. */
function isTrivial(value: JsonValue): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Math.abs(value) <= 1
  if (typeof value === 'string') return value.trim().length < 2
  return false
}

/** Of a list or an object, as JSON: `{}` and `[0]` say nothing. */
function minChars(value: JsonValue): number {
  return typeof value === 'object' ? 8 : 0
}

/** An id, an address, a name of several words: hardly two things are called so. */
function isTelling(text: string): boolean {
  return text.length >= 4 && (/[^\p{L}]/u.test(text) || text.length >= 8)
}

/** Words and short numbers occur anywhere; under the same name they are the same. */
function isLikely(value: JsonValue, { root }: ValueSource, hasSameName: boolean): boolean {
  if (hasSameName) return true
  if (typeof value === 'number') return String(value).length >= 4
  if (typeof value === 'string') return isTelling(value) || (root === 'input' && value.length >= 4)
  return true
}

/** False for a path that the schema of its source does not have, and for a type that is not taken. */
function fits({ schema }: ValueSource, { keys }: Place, use: ValueUse): boolean {
  const at = schemaAt(schema, keys.map(String))
  if (at.kind === 'missing') return false
  if (at.kind === 'unknown' || use.schema === undefined) return true
  const [given, taken] = [typesOf(at.schema), typesOf(use.schema)]
  if (given === undefined || taken === undefined) return true
  return [...given].some((type) => taken.has(type))
}

/** The same name first, then the fewest places in lists, then the shortest way. */
function choose(places: readonly Place[], { root }: ValueSource, { name }: ValueUse): FoundValue {
  const rank = (place: Place) =>
    (place.name === name ? 0 : 10_000) +
    place.keys.filter((key) => typeof key === 'number').length * 100 +
    place.keys.length
  const sorted = places.toSorted((one, other) => rank(one) - rank(other))
  const [first, second] = sorted
  if (first === undefined) return undefined
  if (second !== undefined && rank(first) === rank(second)) return 'ambiguous'
  return { path: toPath(root, first.keys) }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
