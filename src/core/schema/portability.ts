import type { PortabilityFinding } from '../tools/tool-listing.ts'
import type { JsonSchema } from '../kernel/tool.ts'
import { isRecord, ownValue } from '../kernel/json/json-type.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import { schemaEntries, stringsOf, typesOf } from './document/keywords.ts'
import { findNullness } from './prepare/nullness.ts'
import { collectSchemas } from './document/reach.ts'
import { createResolver, type ResolveRef } from './document/resolve-ref.ts'
import { listSchemas, type SchemaAt } from './document/list-schemas.ts'
import { rootUnions, unseenKeywords } from './unseen-keywords.ts'

/**
 * The parts of an input schema that OpenAI strict, Anthropic strict or Gemini would refuse or lose,
 * with a portable alternative. Parts that the doors rewrite without loss are not reported: optional
 * keys (required and nullable on the wire), `oneOf` (`anyOf`), limits and formats (moved to the
 * description, and checked here anyway), `const` (`enum`).
 */
export function checkPortability(schema: JsonSchema): PortabilityFinding[] {
  const schemas = listSchemas(schema)
  const resolve = createResolver(schema)
  const places = schemas.flatMap((at) => [
    ...checkStructure(at),
    ...checkKeywords(at),
    ...checkKeys(at, resolve),
  ])
  return [
    ...checkRoot(schema),
    ...places,
    ...checkRecursion(schemas, resolve),
    ...checkLimits(schemas),
  ]
}

type Provider = PortabilityFinding['provider']
type Severity = PortabilityFinding['severity']

const every: readonly Provider[] = ['openai', 'anthropic', 'gemini']
const strict: readonly Provider[] = ['openai', 'anthropic']

function report(
  providers: readonly Provider[],
  severity: Severity,
  { path, message }: { path: string; message: string },
): PortabilityFinding[] {
  return providers.map((provider) => ({ provider, severity, path, message }))
}

function checkRoot(root: JsonSchema): PortabilityFinding[] {
  const found = Object.keys(root).filter((keyword) => rootUnions.has(keyword))
  return found.flatMap((keyword) =>
    report(strict, 'error', {
      path: `/${keyword}`,
      message: `${keyword} at the root is refused; move it into a property`,
    }),
  )
}

/** Constructs that strict grammars don't support. */
function checkStructure({ schema, path, keyword }: SchemaAt): PortabilityFinding[] {
  // Definitions are checked where they are used; a schema that only forbids describes nothing.
  if (!isRecord(schema))
    return keyword === 'items' || keyword === 'additionalProperties'
      ? []
      : checkBoolean(schema, path)
  // The schema under an open object was already reported for the object.
  if (keyword === 'additionalProperties' && isUntyped(schema)) return []
  if (isUntyped(schema)) {
    const message = 'takes any value; name its type, or take JSON as a string'
    return report(strict, 'error', { path, message })
  }
  if ('prefixItems' in schema) {
    return report(strict, 'error', {
      path,
      message: 'is a tuple; use an object with a key for each position',
    })
  }
  const types = typesOf(schema) ?? []
  if (types.includes('array') && schema['items'] === undefined) {
    return report(every, 'error', {
      path,
      message: 'is an array without a type for its items; add items',
    })
  }
  return isOpenObject(schema, types) ? reportOpenObject(path) : []
}

function checkBoolean(schema: unknown, path: string): PortabilityFinding[] {
  const message =
    schema === true ? 'takes any value; name its type' : 'takes no value; leave the key out'
  return report(strict, 'error', { path, message })
}

const sayingKeywords = [
  'type',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'properties',
  'items',
  'required',
  'not',
  'if',
]

function isUntyped(schema: JsonSchema): boolean {
  return !sayingKeywords.some((keyword) => keyword in schema)
}

function isOpenObject(schema: JsonSchema, types: readonly string[]): boolean {
  const additional = schema['additionalProperties']
  if (additional !== undefined && additional !== false) return true
  return types.includes('object') && !isRecord(schema['properties'])
}

function reportOpenObject(path: string): PortabilityFinding[] {
  const message =
    'takes keys that are not named, which strict schemas close; use an array of { key, value }'
  return report(strict, 'error', { path, message })
}

function checkKeywords({ schema, path }: SchemaAt): PortabilityFinding[] {
  if (!isRecord(schema)) return []
  const unseen = Object.keys(schema).filter((keyword) => unseenKeywords.has(keyword))
  const findings = unseen.flatMap((keyword) =>
    report(every, 'warning', {
      path: pointerStep(path, keyword),
      message: `${keyword} is not shown to models; put the rule in the description, it is checked here anyway`,
    }),
  )
  if ('allOf' in schema && path !== '') {
    const message = 'allOf is refused; write one object with all the keys'
    findings.push(...report(['openai'], 'error', { path: pointerStep(path, 'allOf'), message }))
  }
  return findings
}

const geminiKey = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
const anthropicKey = /^[a-zA-Z0-9_.-]{1,64}$/

function checkKeys({ schema, path }: SchemaAt, resolve: ResolveRef): PortabilityFinding[] {
  if (!isRecord(schema)) return []
  const required = new Set(stringsOf(schema, 'required'))
  return schemaEntries(schema, 'properties').flatMap(([key, inner]) => {
    const at = pointerStep(pointerStep(path, 'properties'), key)
    const findings: PortabilityFinding[] = []
    if (!geminiKey.test(key)) {
      const message =
        'has a name that is refused; use letters, digits and _, starting with a letter or _, at most 64 characters'
      findings.push(...report(['gemini'], 'error', { path: at, message }))
    }
    if (!anthropicKey.test(key)) {
      const message =
        'has a name that is refused; use letters, digits, _, . and -, at most 64 characters'
      findings.push(...report(['anthropic'], 'error', { path: at, message }))
    }
    const hasDefault = isRecord(inner) && ownValue(inner, 'default') !== undefined
    if (!required.has(key) && hasDefault && findNullness(inner, resolve) === 'named') {
      const message =
        'differs between null and missing; strict models always send null. Drop the default, or null'
      findings.push(...report(['openai'], 'warning', { path: at, message }))
    }
    return findings
  })
}

/** References that lead back to themselves. */
function checkRecursion(schemas: readonly SchemaAt[], resolve: ResolveRef): PortabilityFinding[] {
  const isBack = ({ schema }: SchemaAt) =>
    isRecord(schema) &&
    typeof schema['$ref'] === 'string' &&
    collectSchemas([resolve(schema['$ref'])], resolve).has(schema)
  return schemas.filter(isBack).flatMap(({ path }) => {
    const message =
      'is recursive; write out the levels you need, or take nested data as a JSON string'
    return [
      ...report(['anthropic'], 'error', { path, message }),
      ...report(['gemini'], 'warning', { path, message }),
    ]
  })
}

const limits = {
  openaiLevels: 10,
  openaiEnumValues: 1000,
  openaiKeys: 5000,
  anthropicOptionalKeys: 24,
  geminiLevels: 10,
}

function checkLimits(schemas: readonly SchemaAt[]): PortabilityFinding[] {
  const objects = schemas.map(({ schema }) => schema).filter(isRecord)
  const findings: PortabilityFinding[] = []
  const add = (provider: Provider, severity: Severity, message: string) =>
    findings.push(...report([provider], severity, { path: '', message }))
  const levels = Math.max(...schemas.map(({ level }) => level))
  if (levels > limits.openaiLevels)
    add('openai', 'error', `nests ${levels} levels; the limit is ${limits.openaiLevels}`)
  if (levels > limits.geminiLevels)
    add('gemini', 'warning', `nests ${levels} levels; deep schemas are refused`)
  const enums = objects.reduce(
    (sum, schema) => sum + (Array.isArray(schema['enum']) ? schema['enum'].length : 0),
    0,
  )
  if (enums > limits.openaiEnumValues)
    add(
      'openai',
      'error',
      `has ${enums} enum values; the limit is ${limits.openaiEnumValues}. Take a string and check it in execute`,
    )
  const keys = objects.map((schema) => schemaEntries(schema, 'properties').map(([key]) => key))
  const keyCount = keys.flat().length
  if (keyCount > limits.openaiKeys)
    add('openai', 'error', `has ${keyCount} keys; the limit is ${limits.openaiKeys}`)
  const optional = objects.flatMap((schema, index) => {
    const required = new Set(stringsOf(schema, 'required'))
    return (keys[index] ?? []).filter((key) => !required.has(key))
  })
  if (optional.length > limits.anthropicOptionalKeys) {
    add(
      'anthropic',
      'error',
      `has ${optional.length} optional keys; the limit is ${limits.anthropicOptionalKeys}. Split the tool, or make more keys required`,
    )
  }
  return findings
}
