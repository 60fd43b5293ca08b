import { z } from 'zod'
import type { Issue } from '../kernel/errors.ts'
import type { JsonSchema, ParseResult, ValueParser } from '../kernel/tool.ts'
import { checkJson, protoKeyMessage } from '../kernel/json/check-json.ts'
import { boundZod } from './bound-zod.ts'
import { compileValidator, type Validator } from './compile-validator.ts'
import { cutFindings, isIncomplete, maxFindings } from './findings.ts'
import { toPointer } from '../kernel/json/json-pointer.ts'
import { prepareValue } from './prepare-value.ts'
import {
  isStandardSchema,
  type SchemaLike,
  type StandardResult,
  type StandardSchema,
} from './schema-like.ts'

/**
 * The parser of a tool's input. `json` is the schema's input side. The value is prepared, then
 * validated: a schema of zod or another library validates itself, so that its refinements, defaults
 * and transforms work, a JSON Schema is validated by our validator.
 */
export function toInputParser(schema: SchemaLike, json: JsonSchema): ValueParser {
  return isStandardSchema(schema) ? toStandardParser(schema, json) : toJsonParser(json)
}

/** The parser for plain JSON Schema: a tool's output, or the input of one without zod. */
export function toJsonParser(json: JsonSchema): ValueParser {
  let validate: Validator | undefined
  return toParser(json, { defaults: true }, (value) => {
    validate ??= compileValidator(json)
    const issues = validate(value)
    return issues.length === 0 ? { ok: true, value } : { ok: false, issues: [...issues] }
  })
}

function toStandardParser(schema: StandardSchema, json: JsonSchema): ValueParser {
  const isBounded = '_zod' in schema
  return toParser(json, { defaults: false }, (value) => {
    if (!isBounded) {
      const known = refuseEarly(schema, json, value)
      if (known !== undefined) return { ok: false, issues: [...known] }
    }
    const result = runStandard(schema, value)
    if (result.issues === undefined) return { ok: true, value: result.value }
    return {
      ok: false,
      issues: mergeIssues(toIssues(result.issues), compileValidator(json)(value)),
    }
  })
}

/**
 * The problems of a value that its own library would take long to check: libraries other than zod
 * record every wrong item of a list, which takes seconds for a megabyte of them, and can't be
 * stopped. So our validator checks first, and theirs only gets values with few problems or none.
 */
function refuseEarly(
  schema: StandardSchema,
  json: JsonSchema,
  value: unknown,
): readonly Issue[] | undefined {
  const ours = compileValidator(json)(value)
  if (isIncomplete(ours)) return ours
  if (!hasQuickCheck(schema) || !isLarge(value) || schema.allows(value)) return undefined
  return ours.length > 0 ? ours : [{ path: '', message: 'violates a rule of the schema' }]
}

/**
 * Arktype can check quickly whether a value is valid, even by rules beyond JSON Schema, but without
 * the reason.
 */
function hasQuickCheck(
  schema: StandardSchema,
): schema is StandardSchema & { allows(value: unknown): boolean } {
  return 'allows' in schema && typeof schema.allows === 'function'
}

/** Has too many values to be worth the author's own messages. */
function isLarge(value: unknown): boolean {
  const waiting = [value]
  for (let seen = 0; seen < waiting.length; seen++) {
    const part = waiting[seen]
    if (typeof part !== 'object' || part === null) continue
    const inner: unknown[] = Object.values(part)
    if (waiting.length + inner.length > 1_000) return true
    waiting.push(...inner)
  }
  return false
}

function toParser(
  json: JsonSchema,
  options: { defaults: boolean },
  judge: (value: unknown) => ParseResult,
): ValueParser {
  return (value) => {
    const before = checkJson(value)
    // A key named __proto__ may be one of those that preparing drops; all other problems end here.
    if (before && before.message !== protoKeyMessage) return { ok: false, issues: [before] }
    const prepared = prepareValue(json, value, options)
    const after = prepared === value ? before : checkJson(prepared)
    if (after) return { ok: false, issues: [after] }
    const result = judge(prepared)
    if (result.ok || prepared === value) return result
    // Rare: a rule (`minProperties`, `uniqueItems`) that the original value satisfies, but not the
    // prepared one.
    if (before) return result
    const asItCame = judge(value)
    return asItCame.ok ? asItCame : result
  }
}

/**
 * Parsing is synchronous, so that nothing can happen between checking an input and deciding about
 * it.
 */
const asyncMessage =
  "can't be checked: the schema checks asynchronously. Check in execute instead and throw a ToolError"

function runStandard(schema: StandardSchema, value: unknown): StandardResult {
  try {
    const result = '_zod' in schema ? runZod(schema, value) : schema['~standard'].validate(value)
    if (!(result instanceof Promise)) return result
    result.catch(() => undefined)
    return { issues: [{ message: asyncMessage }] }
  } catch (error) {
    const isAsync = (error as object | undefined)?.constructor.name === '$ZodAsyncError'
    const reason = error instanceof Error ? error.message : String(error)
    return {
      issues: [
        { message: isAsync ? asyncMessage : `can't be checked: the schema threw ${reason}` },
      ],
    }
  }
}

/**
 * Through zod's own API: the standard one treats every error that a refinement throws as a promise.
 */
function runZod(schema: unknown, value: unknown): StandardResult {
  const result = z.core.safeParse(boundZod(schema as z.core.$ZodType), value)
  return result.success ? { value: result.data } : { issues: result.error.issues }
}

function toIssues(
  issues: Extract<StandardResult, { issues: readonly unknown[] }>['issues'],
): Issue[] {
  return issues.slice(0, maxFindings + 1).map(({ message, path = [] }) => ({
    path: toPointer(path.map((part) => (typeof part === 'object' ? part.key : part))),
    message,
  }))
}

/** How zod's own messages start; an author's messages start differently. */
const zodPhrase = /^(Invalid|Too (small|big)|Unrecognized|Expected)\b/

/**
 * Our messages in place of zod's, the author's if there are any, zod's for rules only zod knows.
 */
function mergeIssues(theirs: readonly Issue[], ours: readonly Issue[]): Issue[] {
  const byAuthor = theirs.filter(({ message }) => !zodPhrase.test(message))
  const spoken = new Set(byAuthor.map(({ path }) => path))
  const merged = [...byAuthor, ...ours.filter(({ path }) => !spoken.has(path))]
  return cutFindings(merged.length > 0 ? merged : theirs)
}
