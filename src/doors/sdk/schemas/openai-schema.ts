import type { JsonSchema } from '../../../core/kernel/json.ts'
import { schemaEntries, stringsOf, typesOf } from '../../../core/schema/document/keywords.ts'
import { createResolver, type ResolveRef } from '../../../core/schema/document/resolve-ref.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { findNullness } from '../../../core/schema/prepare/nullness.ts'
import { unseenKeywords } from '../../../core/schema/unseen-keywords.ts'
import {
  intoDescription,
  oneOfToAnyOf,
  rewriteSchema,
  withoutSideKeywords,
} from './rewrite-schema.ts'

/**
 * A schema as OpenAI's strict mode wants it: every key required, what was optional nullable instead,
 * objects closed, `anyOf` for `oneOf`. Only for schemas that lose nothing by it.
 */
export function toOpenAISchema(schema: JsonSchema): JsonSchema {
  const resolve = createResolver(schema)
  return rewriteSchema(schema, (inner) => closeObject(toSpoken(inner), resolve))
}

const patternKeyword: ReadonlySet<string> = new Set(['pattern'])
const formatKeyword: ReadonlySet<string> = new Set(['format'])

function toSpoken(schema: JsonSchema): JsonSchema {
  const said = intoDescription(oneOfToAnyOf(schema), unseenKeywords)
  const kept = withoutSideKeywords(said)
  const { pattern, format } = kept
  const lessPattern =
    typeof pattern === 'string' && /\(\?<?[=!]/.test(pattern)
      ? intoDescription(kept, patternKeyword)
      : kept
  return typeof format === 'string' && !formats.has(format)
    ? intoDescription(lessPattern, formatKeyword)
    : lessPattern
}

const formats: ReadonlySet<string> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
])

function closeObject(schema: JsonSchema, resolve: ResolveRef): JsonSchema {
  if (!isRecord(schema['properties'])) {
    const isObject = typesOf(schema)?.includes('object') ?? false
    return isObject
      ? { ...schema, properties: {}, required: [], additionalProperties: false }
      : schema
  }
  const required = new Set(stringsOf(schema, 'required'))
  const properties = schemaEntries(schema, 'properties').map(([key, inner]) => {
    const mustFit = required.has(key) || !isRecord(inner)
    return [key, mustFit ? inner : toNullable(inner, resolve)] as const
  })
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: properties.map(([key]) => key),
    additionalProperties: false,
  }
}

function toNullable(schema: JsonSchema, resolve: ResolveRef): JsonSchema {
  if (findNullness(schema, resolve) !== 'refused') return schema
  const { type, description, ...rest } = schema
  const isSimple = typeof type === 'string' && !('enum' in rest) && !('const' in rest)
  if (isSimple) return { ...schema, type: [type, 'null'] }
  const said = description === undefined ? {} : { description }
  return { ...said, anyOf: [{ ...(type !== undefined && { type }), ...rest }, { type: 'null' }] }
}
