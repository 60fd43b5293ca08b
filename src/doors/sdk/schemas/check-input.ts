import { type Issue, ToolError } from '../../../core/kernel/errors.ts'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { toJsonParser } from '../../../core/schema/to-parser.ts'
import { callToolTool } from '../../../core/kernel/meta-tools.ts'
import type { ParseResult, ValueParser } from '../../../core/kernel/tool.ts'

/** Each round takes out what the one before it uncovered; nested values rarely need two. */
const maxRounds = 8

const parsers = new WeakMap<JsonSchema, ValueParser>()

/** A model's input as the tool will get it, or why it is invalid. */
export type CheckedInput = { ok: true; value: unknown } | { ok: false; error: ToolError }

/**
 * The same for a tool as it is offered. Some models give `tools.call` an object where its schema
 * asks for JSON text; both mean the same, so neither is a reason to make the model try again.
 */
export function checkToolInput(
  { name, inputSchema }: Pick<OfferedTool, 'name' | 'inputSchema'>,
  value: unknown,
): CheckedInput {
  const isObject = name === callToolTool && isRecord(value) && isRecord(value['input'])
  const said = isObject ? { ...value, input: JSON.stringify(value['input']) } : value
  return checkInput(inputSchema, said)
}

/**
 * Validates a model's input against the tool's own schema. Models that must name every key send
 * null for omitted ones: such a null is removed where the schema does not allow it. Nothing else is
 * changed, so that a history shows the original.
 */
export function checkInput(schema: JsonSchema, value: unknown): CheckedInput {
  const parse = parserOf(schema)
  const first = tryParse(parse, value)
  if (first.ok) return { ok: true, value }
  let current = value
  let issues: readonly Issue[] = first.issues
  for (let round = 0; round < maxRounds; round += 1) {
    const next = takeOut(issues, current)
    if (next === current) break
    current = next
    const again = tryParse(parse, current)
    if (again.ok) return { ok: true, value: current }
    issues = again.issues
  }
  return { ok: false, error: unfit(first.issues) }
}

/** The nulls that are named; where none is, as in a union that fits in no form, those around. */
function takeOut(issues: readonly Issue[], value: unknown): unknown {
  const take = (from: typeof withoutNull) =>
    issues.reduce((whole, { path }) => from(whole, stepsOf(path)), value)
  const named = take(withoutNull)
  return named === value ? take(withoutNullsAround) : named
}

function parserOf(schema: JsonSchema): ValueParser {
  const known = parsers.get(schema)
  if (known) return known
  const made = toJsonParser(schema)
  parsers.set(schema, made)
  return made
}

/** A schema that can't be compiled here is left to the crib, which has the tool's own parser. */
function tryParse(parse: ValueParser, value: unknown): ParseResult {
  try {
    return parse(value)
  } catch {
    return { ok: true, value }
  }
}

function unfit(issues: readonly Issue[]): ToolError {
  const places = issues.map(({ path, message }) => `${path || '/'} ${message}`).join('; ')
  return new ToolError('invalid_input', `invalid_input: ${places}`, { issues })
}

function stepsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A copy without the null at that place; the value itself if there is none. */
function withoutNull(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value
  if (rest.length > 0) {
    return mapInner(value, (inner, key) => (key === step ? withoutNull(inner, rest) : inner))
  }
  if (!isRecord(value) || !Object.hasOwn(value, step) || value[step] !== null) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step))
}

/** A copy without any null of the innermost value on the way that holds one; the value itself where none does. */
function withoutNullsAround(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step !== undefined) {
    const next = mapInner(value, (inner, key) =>
      key === step ? withoutNullsAround(inner, rest) : inner,
    )
    if (next !== value) return next
  }
  return withoutNulls(value)
}

/** Deeper than any useful schema: a model may send a hundred thousand brackets. */
const deepest = 64

function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value
  const bare =
    isRecord(value) && Object.values(value).includes(null)
      ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
      : value
  return mapInner(bare, (inner) => withoutNulls(inner, depth + 1))
}

/** A copy with other values; the value itself where all stay the same. */
function mapInner(value: unknown, map: (inner: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const next = value.map((inner: unknown, index) => map(inner, String(index)))
    return next.every((inner, index) => inner === value[index]) ? value : next
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, map(inner, key)] as const)
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries)
}
