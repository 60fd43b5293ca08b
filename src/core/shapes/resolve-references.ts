import { ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { parseTemplate, type Reference, wholeReference } from './reference.ts'

/** The values that references of a place can name, by root. */
export type ReferenceRoots = Readonly<Record<string, unknown>>

/** All texts of one value together: a short template can repeat a long value many times. */
const maxTextChars = 4_194_304

/**
 * Fills the references of a value in. A text that is one reference becomes the value itself; if that
 * is missing, its key is left out (in a list it is null, alone undefined). Inside a text, missing
 * and null are empty, and objects are JSON.
 */
export function resolveReferences(value: JsonValue, roots: ReferenceRoots): JsonValue | undefined {
  return resolve(value, { roots, charsLeft: maxTextChars })
}

/**
 * The value that a reference names; undefined if it is missing. Follows own keys of objects and
 * indexes of lists only, never `__proto__`.
 */
export function followReference(
  { root, keys }: Pick<Reference, 'root' | 'keys'>,
  roots: ReferenceRoots,
): JsonValue | undefined {
  let found = ownMember(roots, root)
  for (const key of keys) found = ownMember(found, key)
  return found as JsonValue | undefined
}

/** True for the keys of lists: `0`, `12`, but not `-1`, `01` or `length`. */
export function isListIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(key)
}

interface Resolving {
  roots: ReferenceRoots
  charsLeft: number
}

function resolve(value: JsonValue, state: Resolving): JsonValue | undefined {
  if (typeof value === 'string') return resolveText(value, state)
  if (Array.isArray(value)) return value.map((item) => resolve(item, state) ?? null)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const filled = resolve(member, state)
    return filled === undefined ? [] : [[key, filled] as const]
  })
  return Object.fromEntries(entries)
}

function resolveText(text: string, state: Resolving): JsonValue | undefined {
  if (!text.includes('{{')) return text
  const whole = wholeReference(text)
  if (whole !== undefined) return followReference(whole, state.roots)
  let filled = ''
  for (const part of parseTemplate(text)) {
    const piece =
      part.kind === 'reference' ? toText(followReference(part.reference, state.roots)) : part.text
    state.charsLeft -= piece.length
    if (state.charsLeft < 0) throw tooLong()
    filled += piece
  }
  return filled
}

function toText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function ownMember(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return isListIndex(key) ? (value as unknown[])[Number(key)] : undefined
  if (!isRecord(value) || key === '__proto__' || !Object.hasOwn(value, key)) return undefined
  return value[key]
}

function tooLong(): ToolError {
  return new ToolError(
    'invalid_input',
    `The texts with references filled in are longer than ${maxTextChars} characters`,
    {
      fix: 'Pass the values themselves, each as one reference, instead of putting them into texts.',
    },
  )
}
