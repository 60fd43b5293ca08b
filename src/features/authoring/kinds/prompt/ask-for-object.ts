import type { CallContext } from '../../../../core/kernel/call.ts'
import type { ModelQuestion } from '../../../../core/kernel/context/call-conversation.ts'
import { type Issue, ToolError } from '../../../../core/kernel/errors.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import type { JsonSchema } from '../../../../core/kernel/json.ts'
import { checkPortability } from '../../../../core/schema/portability.ts'
import { toJsonParser } from '../../../../core/schema/to-parser.ts'

type Checked = { value: unknown; issues: readonly Issue[] }

/** The answer as a value of the schema. A wrong one is sent back once; then throws `output_invalid`. */
export async function askForObject(
  question: ModelQuestion,
  schema: JsonSchema,
  { models }: Pick<CallContext, 'models'>,
): Promise<unknown> {
  const whole = { ...question, ...toJsonQuestion(question.instructions ?? '', schema) }
  const first = await models.ask(whole)
  const checked = check(first.text, schema)
  if (checked.issues.length === 0) return checked.value
  const tries = [{ answer: first.text, remark: toRemark(checked.issues) }]
  const second = await models.ask({ ...whole, tries })
  const repaired = check(second.text, schema)
  if (repaired.issues.length === 0) return repaired.value
  const message = `The answer of ${second.model} does not match the output schema, and neither did a second one`
  throw new ToolError('output_invalid', message, {
    issues: repaired.issues,
    retryable: true,
    fix: 'Make the schema or the prompt simpler, allow more output tokens, or use another model.',
  })
}

/** A schema that some provider would refuse is described in words only. */
function toJsonQuestion(instructions: string, schema: JsonSchema) {
  const order = `Answer with JSON only: no other text, no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`
  const isPortable = isStrict(schema) && checkPortability(schema).length === 0
  return {
    instructions: [instructions, order].filter((text) => text !== '').join('\n\n'),
    ...(isPortable && { outputSchema: schema }),
  }
}

/** Strict providers want every key of every object to be required, and no others. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (!isRecord(schema)) return true
  const { properties, required, additionalProperties } = schema
  const keys = isRecord(properties) ? Object.keys(properties) : []
  const isObject = schema['type'] === 'object' || isRecord(properties)
  const isClosed = additionalProperties === false && Array.isArray(required)
  if (isObject && !(isClosed && keys.every((key) => required.includes(key)))) return false
  return Object.values(schema).every(isStrict)
}

function check(text: string, schema: JsonSchema): Checked {
  const value = parse(text)
  if (value === undefined) return { value, issues: [{ path: '', message: 'is not JSON' }] }
  const parsed = toJsonParser(schema)(value)
  return parsed.ok ? { value: parsed.value, issues: [] } : { value, issues: parsed.issues }
}

/** Many models put JSON into a code fence in spite of the instructions. */
function parse(text: string): unknown {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1]
  try {
    return JSON.parse(fenced ?? text) as unknown
  } catch {
    return undefined
  }
}

const mostIssues = 20

function toRemark(issues: readonly Issue[]): string {
  const lines = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => `- ${path === '' ? 'the answer' : path} ${message}`)
  return `This does not match the schema:\n${lines.join('\n')}\nAnswer again with the whole JSON, corrected.`
}
