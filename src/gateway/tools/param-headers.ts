import { isRecord, ownValue } from '../../core/kernel/json/json-type.ts'
import { toHeaderValue } from '../http/header-value.ts'

/** An argument that a server over HTTP wants in a header, too. */
export interface ParamHeader {
  path: readonly string[]
  header: string
}

const keyword = 'x-mcp-header'
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const headerTypes = new Set(['string', 'integer', 'boolean'])
const otherPlaces = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'patternProperties',
  'dependentSchemas',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  '$defs',
  'definitions',
]

/** The headers a tool asks for, or why its schema may not be used: the protocol has such tools left out. */
export function findParamHeaders(schema: unknown): ParamHeader[] | string {
  const found: ParamHeader[] = []
  const wrong = visit({ schema, path: [], isPlainPath: true }, found)
  if (wrong !== undefined) return wrong
  const names = found.map(({ header }) => header.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? found : `${keyword} ${twice} is asked for twice`
}

interface Place {
  schema: unknown
  path: readonly string[]
  isPlainPath: boolean
}

function visit({ schema, path, isPlainPath }: Place, found: ParamHeader[]): string | undefined {
  if (!isRecord(schema) || path.length > 64) return undefined
  if (keyword in schema) {
    const header = schema[keyword]
    if (!isPlainPath || path.length === 0) return `${keyword} is not allowed there`
    if (typeof header !== 'string' || !token.test(header)) return `${keyword} is no header name`
    if (!headerTypes.has(String(schema['type']))) return `${keyword} is on no plain value`
    found.push({ path, header })
  }
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  for (const [key, inner] of properties) {
    const wrong = visit({ schema: inner, path: [...path, key], isPlainPath }, found)
    if (wrong !== undefined) return wrong
  }
  return visitOthers(schema, path, found)
}

function visitOthers(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[],
  found: ParamHeader[],
): string | undefined {
  for (const key of otherPlaces) {
    const inner = schema[key]
    if (!isRecord(inner) && !Array.isArray(inner)) continue
    const isMap = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'].includes(key)
    const all: unknown[] = Array.isArray(inner) ? inner : isMap ? Object.values(inner) : [inner]
    for (const one of all) {
      const wrong = visit({ schema: one, path: [...path, key], isPlainPath: false }, found)
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

/** The headers for these arguments. */
export function toParamHeaders(
  headers: readonly ParamHeader[],
  input: unknown,
): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(({ path, header }) => {
      const value = path.reduce<unknown>(
        (at, key) => (isRecord(at) ? ownValue(at, key) : undefined),
        input,
      )
      if (!['string', 'number', 'boolean'].includes(typeof value)) return []
      return [[`mcp-param-${header.toLowerCase()}`, toHeaderValue(String(value))]]
    }),
  )
}
