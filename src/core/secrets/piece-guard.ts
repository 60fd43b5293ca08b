import type { JsonValue } from '../kernel/tool.ts'
import type { Redactor } from './redact.ts'

/** How much of the earlier texts is checked again: longer than the encodings of common secrets. */
const tailChars = 4_096
/** Beyond this many places, the least recently set one is forgotten. */
const placesAtMost = 1_000
const maxDepth = 1_000
/** Separates two pieces that are not one text. */
const gap = '\u0000'

/**
 * Empties texts that continue a secret started in an earlier value at the same place: otherwise a
 * tool that yields pieces would reveal all of it but the first. Other texts are unchanged.
 */
export function createPieceGuard({
  isEmpty,
  redactGrowing,
}: Pick<Redactor, 'isEmpty' | 'redactGrowing'>): (value: JsonValue) => JsonValue {
  if (isEmpty) return (value) => value
  const tails = new Map<string, string>()

  function guardText(text: string, place: string): string {
    const tail = tails.get(place) ?? ''
    tails.delete(place)
    tails.set(place, (tail + text).slice(-tailChars))
    if (tails.size > placesAtMost) tails.delete(tails.keys().next().value ?? '')
    if (tail === '' || text === '') return text
    const joined = redactGrowing(tail + text).replaceAll(gap, '')
    const apart = redactGrowing(tail + gap + text).replaceAll(gap, '')
    return joined === apart ? text : ''
  }
  function guard(value: JsonValue, place: string, depth: number): JsonValue {
    if (typeof value === 'string') return guardText(value, place)
    // The redactor cuts deeper values.
    if (typeof value !== 'object' || value === null || depth >= maxDepth) return value
    const below = (part: JsonValue, step: string | number) =>
      guard(part, `${place}/${step}`, depth + 1)
    if (Array.isArray(value)) return value.map(below)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, below(part, key)]))
  }
  return (value) => guard(value, '', 0)
}
