import { type Issue, ToolError } from '../../kernel/errors.ts'
import type { JsonSchema } from '../../kernel/tool.ts'
import { checkJson } from '../../kernel/json/check-json.ts'
import { checkKeyword } from './check-keyword.ts'
import { pointerStep } from '../../kernel/json/json-pointer.ts'
import { isRecord } from '../../kernel/json/json-type.ts'
import { findSubschemas, inPlaceKeywords, subschemaKeywords } from './keywords.ts'
import { createResolver, type ResolveRef } from './resolve-ref.ts'

/** Limits of a schema. A foreign schema is checked against these before any other processing. */
export const schemaBounds = {
  maxBytes: 65_536,
  maxDepth: 16,
  maxSubschemas: 512,
  /** All patterns of a schema together: compiling them takes less than half a second. */
  maxPatternChars: 8_192,
} as const

/**
 * JSON inside a schema (defaults, enums) in addition to the schema's own nesting, which takes two
 * levels each.
 */
const maxJsonDepth = 64

/**
 * Refuses (`invalid_schema`) schemas that would be dangerous or pointless to compile: too large,
 * too deep, remote or endless references, patterns beyond RE2, keywords with invalid values.
 * Expects plain JSON.
 */
export function checkBounds(schema: JsonSchema): void {
  const walk: Walk = {
    resolve: createResolver(schema),
    schemas: new Map(),
    count: 0,
    patternChars: 0,
  }
  const issue =
    checkJson(schema, maxJsonDepth) ??
    checkSize(schema) ??
    checkSchema({ schema, path: '', depth: 1 }, walk) ??
    checkRefs(walk) ??
    checkLoops(walk)
  if (issue) throw invalidSchema(issue)
}

/** The error for a schema that can't be used, with the place. */
export function invalidSchema(issue: Issue, cause?: unknown): ToolError {
  const where = issue.path === '' ? 'The schema' : `The schema at ${issue.path}`
  return new ToolError('invalid_schema', `${where} ${issue.message}`, { issues: [issue], cause })
}

interface Walk {
  readonly resolve: ResolveRef
  /** Every schema object of the document, with its place. */
  readonly schemas: Map<JsonSchema, string>
  count: number
  patternChars: number
}

interface Place {
  schema: unknown
  path: string
  depth: number
}

function checkSize(schema: JsonSchema): Issue | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length
  if (bytes <= schemaBounds.maxBytes) return undefined
  return {
    path: '',
    message: `is ${bytes} bytes long; the limit is ${schemaBounds.maxBytes}`,
  }
}

function checkSchema({ schema, path, depth }: Place, walk: Walk): Issue | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isRecord(schema)) return { path, message: 'must be a schema: an object, true or false' }
  if (depth > schemaBounds.maxDepth) {
    return { path, message: `is nested deeper than ${schemaBounds.maxDepth} schemas` }
  }
  walk.schemas.set(schema, path)
  walk.count += 1
  if (walk.count > schemaBounds.maxSubschemas) {
    return { path: '', message: `contains more than ${schemaBounds.maxSubschemas} schemas` }
  }
  const issue = checkKeywords(schema, path, walk)
  if (issue) return issue
  for (const inner of findSubschemas(schema, path)) {
    const wrong = checkSchema({ ...inner, depth: depth + 1 }, walk)
    if (wrong) return wrong
  }
  return undefined
}

function checkKeywords(schema: JsonSchema, path: string, walk: Walk): Issue | undefined {
  walk.patternChars += countPatternChars(schema)
  if (walk.patternChars > schemaBounds.maxPatternChars) {
    return {
      path,
      message: `has patterns of more than ${schemaBounds.maxPatternChars} characters in total`,
    }
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const message =
      checkContainer(keyword, value) ??
      checkIdentity(keyword, value, path) ??
      checkKeyword(keyword, value)
    if (message) return { path: pointerStep(path, keyword), message }
  }
  // checkJson has refused it as a key; `required` could still name it.
  if (Array.isArray(schema['required']) && schema['required'].includes('__proto__')) {
    return { path: pointerStep(path, 'required'), message: 'must not name __proto__' }
  }
  return undefined
}

function countPatternChars(schema: JsonSchema): number {
  const own = typeof schema['pattern'] === 'string' ? schema['pattern'].length : 0
  const keys = isRecord(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
  return keys.reduce((sum, key) => sum + key.length, own)
}

function checkContainer(keyword: string, value: unknown): string | undefined {
  const kind = subschemaKeywords.get(keyword)
  if (kind === 'list' && !(Array.isArray(value) && value.length > 0)) {
    return 'must be an array with at least one schema'
  }
  return kind === 'map' && !isRecord(value) ? 'must be an object of schemas' : undefined
}

function checkIdentity(keyword: string, value: unknown, path: string): string | undefined {
  if (keyword === '$dynamicRef' || keyword === '$recursiveRef') return 'is not supported; use $ref'
  if (keyword === '$id' && path !== '')
    return 'is not supported inside a schema; use $defs and $ref'
  if (keyword !== '$ref') return undefined
  if (typeof value !== 'string') return 'must be a string'
  return value.startsWith('#')
    ? undefined
    : `points outside the schema (${value.slice(0, 200)}); copy its target into $defs`
}

function checkRefs(walk: Walk): Issue | undefined {
  for (const [schema, path] of walk.schemas) {
    const ref = schema['$ref']
    if (typeof ref !== 'string') continue
    const target = walk.resolve(ref)
    const isSchema =
      typeof target === 'boolean' || (target !== undefined && walk.schemas.has(target))
    if (!isSchema)
      return { path: pointerStep(path, '$ref'), message: `points to no schema: ${ref}` }
  }
  return undefined
}

/** A schema that refers to itself without descending into the value would validate forever. */
function checkLoops(walk: Walk): Issue | undefined {
  const done = new Set<JsonSchema>()
  const open = new Set<JsonSchema>()
  const visit = (schema: unknown): Issue | undefined => {
    if (!isRecord(schema) || done.has(schema)) return undefined
    const path = walk.schemas.get(schema) ?? ''
    if (open.has(schema)) return { path, message: 'refers to itself endlessly' }
    open.add(schema)
    const ref = schema['$ref']
    const inner = findSubschemas(schema, path).filter(({ keyword }) => inPlaceKeywords.has(keyword))
    const nexts = inner.map((found) => found.schema)
    if (typeof ref === 'string') nexts.push(walk.resolve(ref))
    for (const next of nexts) {
      const issue = visit(next)
      if (issue) return issue
    }
    open.delete(schema)
    done.add(schema)
    return undefined
  }
  for (const schema of walk.schemas.keys()) {
    const issue = visit(schema)
    if (issue) return issue
  }
  return undefined
}
