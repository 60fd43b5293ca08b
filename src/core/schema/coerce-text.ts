import type { Issue } from '../kernel/errors.ts'
import type { JsonSchema, JsonValue } from '../kernel/tool.ts'
import { flatten, glance } from './document/branch.ts'
import { isOfType, type JsonType, toTypePhrase } from '../kernel/json/json-type.ts'
import { schemasOf, type Subschema } from './document/keywords.ts'
import { toPointer } from '../kernel/json/json-pointer.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'

/** The value of a flag or a form field: text, a switch, or several of them. */
export type RawText = string | boolean | readonly (string | boolean)[]

export type Coerced = { ok: true; value: JsonValue } | { ok: false; issues: Issue[] }

/**
 * Converts text to the type of its schema: `12` is a number where a number is expected and text
 * where text is. For the command line and forms only; the validator then checks the value.
 */
export function coerceText(schema: JsonSchema, raw: RawText): Coerced {
  const found = coerce(schema, raw, createResolver(schema))
  if ('issue' in found) return { ok: false, issues: [found.issue] }
  return { ok: true, value: found.value }
}

type Found = { value: JsonValue } | { issue: Issue }

function coerce(schema: Subschema, raw: RawText, resolve: ResolveRef): Found {
  const { types, values } = glance(schema, resolve)
  if (typeof raw === 'object') return coerceList(schema, raw, resolve)
  const fixed = values && [...values].find((value) => String(value) === String(raw))
  if (fixed !== undefined) return { value: fixed as JsonValue }
  if (typeof raw === 'boolean') return coerceSwitch(raw, types)
  for (const read of readers) {
    const value = types.includes(read.type) ? read.from(raw) : undefined
    if (value !== undefined) return { value }
  }
  if (types.includes('array')) return coerceList(schema, [raw], resolve)
  return {
    issue: { path: '', message: `must be ${toWanted(types)}, got ${JSON.stringify(cut(raw))}` },
  }
}

/** A bare flag means true; if text is expected, its value was forgotten. */
function coerceSwitch(raw: boolean, types: readonly JsonType[]): Found {
  if (types.includes('boolean')) return { value: raw }
  return { issue: { path: '', message: `needs a value: ${toWanted(types)}` } }
}

function coerceList(
  schema: Subschema,
  raws: readonly (string | boolean)[],
  resolve: ResolveRef,
): Found {
  const { types } = glance(schema, resolve)
  const [only] = raws
  if (!types.includes('array')) {
    if (raws.length === 1 && only !== undefined) return coerce(schema, only, resolve)
    return { issue: { path: '', message: `must be given once, was given ${raws.length} times` } }
  }
  const list: JsonValue[] = []
  for (const [index, raw] of raws.entries()) {
    const item = coerce(findItemSchema(schema, index, resolve), raw, resolve)
    if ('issue' in item)
      return { issue: { ...item.issue, path: toPointer([index]) + item.issue.path } }
    list.push(item.value)
  }
  return { value: list }
}

function findItemSchema(schema: Subschema, index: number, resolve: ResolveRef): Subschema {
  const certain = flatten(schema, resolve)
  const branches = certain.flatMap((inner) => [
    ...schemasOf(inner, 'anyOf'),
    ...schemasOf(inner, 'oneOf'),
  ])
  for (const inner of [...certain, ...branches.flatMap((branch) => flatten(branch, resolve))]) {
    const item = schemasOf(inner, 'prefixItems')[index] ?? (inner['items'] as Subschema | undefined)
    if (item !== undefined) return item
  }
  return true
}

interface Reader {
  type: JsonType
  /** Undefined when the text has another type. */
  from(text: string): JsonValue | undefined
}

/** From the most to the least specific: text is last, because everything is text. */
const readers: readonly Reader[] = [
  { type: 'null', from: (text) => (text === 'null' || text === '' ? null : undefined) },
  { type: 'boolean', from: toBoolean },
  { type: 'integer', from: toNumber },
  { type: 'number', from: toNumber },
  { type: 'array', from: (text) => toJson(text, 'array') },
  { type: 'object', from: (text) => toJson(text, 'object') },
  { type: 'string', from: (text) => text },
]

function toBoolean(text: string): boolean | undefined {
  if (/^(true|yes|on)$/i.test(text)) return true
  return /^(false|no|off)$/i.test(text) ? false : undefined
}

const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

function toNumber(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

function toJson(text: string, type: 'array' | 'object'): JsonValue | undefined {
  const opening = type === 'array' ? '[' : '{'
  if (!text.trimStart().startsWith(opening)) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return isOfType(value, type) ? value : undefined
  } catch {
    return undefined
  }
}

function toWanted(types: readonly JsonType[]): string {
  const shown = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const phrase = toTypePhrase(shown)
  return shown.includes('object') || shown.includes('array') ? `${phrase}, as JSON` : phrase
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
