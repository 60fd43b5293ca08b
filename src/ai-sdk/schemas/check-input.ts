import { type Issue, ToolError } from '../../core/errors.ts'
import type { JsonSchema } from '../../core/json.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import { toJsonParser } from '../../core/schema/to-parser.ts'
import { callToolTool } from '../../core/search/meta-tools.ts'
import type { ParseResult, ValueParser } from '../../core/tool.ts'

/** Each round takes out what the one before it uncovered; nested values rarely need two. */
const maxRounds = 8

const parsers = new WeakMap<JsonSchema, ValueParser>()

/** What a model sent, as the tool will take it, or why it does not fit. */
export type CheckedInput = { ok: true; value: unknown } | { ok: false; error: ToolError }

/**
 * The same for a tool as it is offered. Some models give `tools.call` an object where its schema says
 * JSON text; behind the door both mean the same, so neither is a reason to make the model try again.
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
 * Checks what a model sent against the tool's own schema. Models that must name every key send null
 * for what they leave out: such a null is taken out where the schema has no use for it. Nothing else
 * is changed, so that a history shows what was said.
 */
export function checkInput(schema: JsonSchema, value: unknown): CheckedInput {
  const parse = parserOf(schema)
  const first = tryParse(parse, value)
  if (first.ok) return { ok: true, value }
  let current = value
  let issues: readonly Issue[] = first.issues
  for (let round = 0; round < maxRounds; round += 1) {
    const next = issues.reduce((whole, { path }) => withoutNull(whole, stepsOf(path)), current)
    if (next === current) break
    current = next
    const again = tryParse(parse, current)
    if (again.ok) return { ok: true, value: current }
    issues = again.issues
  }
  return { ok: false, error: unfit(first.issues) }
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

/** A copy without the null that stands there; the value itself where none does. */
function withoutNull(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value
  if (Array.isArray(value)) {
    const inner: unknown = value[Number(step)]
    const next = withoutNull(inner, rest)
    return next === inner ? value : value.with(Number(step), next)
  }
  if (!isRecord(value) || !Object.hasOwn(value, step)) return value
  if (rest.length === 0) {
    if (value[step] !== null) return value
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step))
  }
  const inner = value[step]
  const next = withoutNull(inner, rest)
  return next === inner ? value : { ...value, [step]: next }
}
