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
 * judged: a schema of zod or another library by itself, so that its refinements, defaults and
 * transforms work, a JSON Schema by our validator.
 */
export function toInputParser(schema: SchemaLike, json: JsonSchema): ValueParser {
  return isStandardSchema(schema) ? toStandardParser(schema, json) : toJsonParser(json)
}

/** The parser of values by JSON Schema alone: a tool's output, or the input of one without zod. */
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
 * What is wrong with a value, where asking its library could take long: other libraries than zod note
 * every wrong item of a list, which takes seconds for a megabyte of them, and can't be told to stop.
 * So ours looks first, and theirs is asked about values with few faults or none.
 */
function refuseEarly(
  schema: StandardSchema,
  json: JsonSchema,
  value: unknown,
): readonly Issue[] | undefined {
  const ours = compileValidator(json)(value)
  if (isIncomplete(ours)) return ours
  if (!hasQuickCheck(schema) || !isLarge(value) || schema.allows(value)) return undefined
  return ours.length > 0 ? ours : [{ path: '', message: 'breaks a rule of the schema' }]
}

/** Arktype tells at once whether a value fits, also by rules that JSON Schema can't say, but not why. */
function hasQuickCheck(
  schema: StandardSchema,
): schema is StandardSchema & { allows(value: unknown): boolean } {
  return 'allows' in schema && typeof schema.allows === 'function'
}

/** More values in it than an author's own sentences are worth. */
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
    // A key named __proto__ may be one of those that preparing drops; everything else ends here.
    if (before && before.message !== protoKeyMessage) return { ok: false, issues: [before] }
    const prepared = prepareValue(json, value, options)
    const after = prepared === value ? before : checkJson(prepared)
    if (after) return { ok: false, issues: [after] }
    const result = judge(prepared)
    if (result.ok || prepared === value) return result
    // Rare: a rule (`minProperties`, `uniqueItems`) that a value keeps as it came, but not once it is prepared.
    if (before) return result
    const asItCame = judge(value)
    return asItCame.ok ? asItCame : result
  }
}

/** Parsing is synchronous, so that nothing can happen between the check of an input and its decision. */
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

/** By zod's own door: the standard one takes every error that a refinement throws for a promise to come. */
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

/** How zod begins its own sentences; an author's own begin otherwise. */
const zodPhrase = /^(Invalid|Too (small|big)|Unrecognized|Expected)\b/

/** Our sentences where zod uses its own, the author's where there are any, zod's for what only zod knows. */
function mergeIssues(theirs: readonly Issue[], ours: readonly Issue[]): Issue[] {
  const byAuthor = theirs.filter(({ message }) => !zodPhrase.test(message))
  const spoken = new Set(byAuthor.map(({ path }) => path))
  const merged = [...byAuthor, ...ours.filter(({ path }) => !spoken.has(path))]
  return cutFindings(merged.length > 0 ? merged : theirs)
}
