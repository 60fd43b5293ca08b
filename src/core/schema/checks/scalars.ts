import type { JsonSchema } from '../../kernel/tool.ts'
import { isDeepEqual } from '../../kernel/json/deep-equal.ts'
import {
  isOfType,
  type JsonType,
  joinOr,
  toTypePhrase,
  toValuePhrase,
} from '../../kernel/json/json-type.ts'
import { typesOf } from '../document/keywords.ts'
import { compilePattern } from '../document/pattern.ts'
import type { CompileGroup } from './compiler.ts'
import { findFormat } from './formats.ts'
import { all, type Check, refuse, spend } from './run.ts'

/** `type` */
export const compileType: CompileGroup = (schema) => {
  const types = typesOf(schema) as readonly JsonType[] | undefined
  if (types === undefined) return undefined
  const phrase = toTypePhrase(types)
  const [only] = types
  const fits =
    types.length === 1 && only
      ? (value: unknown) => isOfType(value, only)
      : (value: unknown) => types.some((type) => isOfType(value, type))
  return (value, run, path) =>
    fits(value) || refuse(run, path, `must be ${phrase}, got ${toValuePhrase(value)}`)
}

/** `enum`, `const` */
export const compileValues: CompileGroup = (schema) => {
  const allowed = toAllowedValues(schema)
  if (allowed === undefined) return undefined
  const scalars = new Set(allowed.filter((value) => typeof value !== 'object' || value === null))
  const others = allowed.filter((value) => typeof value === 'object' && value !== null)
  const message = `must be ${toChoicesPhrase(allowed)}`
  return (value, run, path) => {
    if (scalars.has(value)) return true
    spend(run, others.length)
    return others.some((other) => isDeepEqual(other, value)) || refuse(run, path, message)
  }
}

function toAllowedValues(schema: JsonSchema): unknown[] | undefined {
  const values = schema['enum']
  if (!Object.hasOwn(schema, 'const')) return Array.isArray(values) ? values : undefined
  const constant = schema['const']
  if (!Array.isArray(values)) return [constant]
  return values.some((value) => isDeepEqual(value, constant)) ? [constant] : []
}

const maxChoicesShown = 20

/** `one of "a", "b" or null`, shortened before it fills the screen. */
export function toChoicesPhrase(allowed: readonly unknown[]): string {
  const shown = allowed.slice(0, maxChoicesShown).map((value) => cut(JSON.stringify(value)))
  if (allowed.length === 1) return shown.join('')
  if (allowed.length <= maxChoicesShown) return `one of ${joinOr(shown)}`
  return `one of ${shown.join(', ')} and ${allowed.length - maxChoicesShown} others`
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` */
export const compileNumber: CompileGroup = (schema) => {
  const checks: Check[] = []
  const add = (
    keyword: string,
    test: (value: number, limit: number) => boolean,
    phrase: string,
  ) => {
    const limit = schema[keyword]
    if (typeof limit !== 'number') return
    const message = `must be ${phrase} ${limit}`
    checks.push((value, run, path) => test(value as number, limit) || refuse(run, path, message))
  }
  add('minimum', (value, limit) => value >= limit, 'at least')
  add('maximum', (value, limit) => value <= limit, 'at most')
  add('exclusiveMinimum', (value, limit) => value > limit, 'more than')
  add('exclusiveMaximum', (value, limit) => value < limit, 'less than')
  add('multipleOf', isMultiple, 'a multiple of')
  return when((value) => typeof value === 'number', checks)
}

/** 0.3 is a multiple of 0.1, although its binary fraction is not. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  if (!Number.isFinite(quotient)) return value % step === 0
  const rounded = Math.round(quotient)
  return Math.abs(quotient - rounded) <= Math.max(1, Math.abs(quotient)) * Number.EPSILON * 2
}

/** `minLength`, `maxLength`, `pattern`, `format` */
export const compileString: CompileGroup = (schema) => {
  const checks = [compileLength(schema), compileMatch(schema), compileFormat(schema)]
  return when(
    (value) => typeof value === 'string',
    checks.filter((check) => check !== undefined),
  )
}

function compileLength(schema: JsonSchema): Check | undefined {
  const { minLength = 0, maxLength = Infinity } = schema as {
    minLength?: number
    maxLength?: number
  }
  if (minLength === 0 && maxLength === Infinity) return undefined
  const shortest = `must be at least ${minLength} character${minLength === 1 ? '' : 's'} long`
  const longest = `must be at most ${maxLength} character${maxLength === 1 ? '' : 's'} long`
  return (value, run, path) => {
    const text = value as string
    // A character takes one or two code units, so counting is needed only between these bounds.
    if (text.length < minLength) return refuse(run, path, shortest)
    if (text.length > maxLength * 2) return refuse(run, path, longest)
    if (text.length <= maxLength && text.length >= minLength * 2) return true
    const length = countCharacters(text)
    if (length < minLength) return refuse(run, path, shortest)
    return length <= maxLength || refuse(run, path, longest)
  }
}

function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function compileMatch(schema: JsonSchema): Check | undefined {
  const source = schema['pattern']
  if (typeof source !== 'string') return undefined
  const pattern = compilePattern(source)
  const message = `must match the pattern ${source}`
  return (value, run, path) => {
    const text = value as string
    // RE2 takes about 2 ns for each character and instruction; a step is about 20 ns.
    spend(run, (text.length * pattern.size) / 10)
    return pattern.test(text) || refuse(run, path, message)
  }
}

function compileFormat(schema: JsonSchema): Check | undefined {
  const format = typeof schema['format'] === 'string' ? findFormat(schema['format']) : undefined
  if (format === undefined) return undefined
  const message = `must be ${format.phrase}`
  return (value, run, path) => format.test(value as string) || refuse(run, path, message)
}

function when(applies: (value: unknown) => boolean, checks: readonly Check[]): Check | undefined {
  if (checks.length === 0) return undefined
  const check = all(checks)
  return (value, run, path) => !applies(value) || check(value, run, path)
}
