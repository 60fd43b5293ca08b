import type { JsonSchema } from '../../kernel/tool.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { mapSubschemas } from './map-subschemas.ts'

/**
 * Formats that are equivalent to the long pattern zod adds to them; some of those are beyond RE2.
 */
const formatsThatSuffice: ReadonlySet<unknown> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
])

/**
 * Removes redundant output of zod: a pattern beside its format, the bounds of safe integers,
 * "property names are strings". Fewer tokens for models, cleaner forms for people.
 */
export function trimZodSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => !isNoise(schema, keyword, value))
  return mapSubschemas(Object.fromEntries(kept), trimZodSchema)
}

function isNoise(schema: JsonSchema, keyword: string, value: unknown): boolean {
  switch (keyword) {
    case 'pattern':
      return formatsThatSuffice.has(schema['format'])
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER
    case 'propertyNames':
      return isRecord(value) && Object.keys(value).length === 1 && value['type'] === 'string'
    default:
      return false
  }
}
