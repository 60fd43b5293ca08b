import type { Finding } from '../../../core/kernel/finding.ts'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { describeKnown, findNearest } from '../../../core/patterns/nearest-name.ts'
import type { Reference } from '../../../core/shapes/reference.ts'
import { malformedIn, referencesIn } from '../../../core/shapes/references-in.ts'

/** The values that a place can refer to, each with its schema; undefined where nobody knows it. */
export type KnownRoots = Readonly<Record<string, JsonSchema | undefined>>

/** References in a value that name nothing: an unknown root, or an input that the schema lacks. */
export function checkReferences(value: unknown, pointer: string, roots: KnownRoots): Finding[] {
  const malformed = malformedIn(value, pointer).map(({ pointer: path, text }) => ({
    path,
    message: `has braces without a valid reference: ${text}`,
    fix: 'Write {{input.name}}, or \\{{ for the braces themselves.',
    severity: 'error' as const,
  }))
  const wrong = referencesIn(value, pointer).flatMap((reference): Finding[] => {
    const message = findProblem(reference, roots)
    return message === undefined ? [] : [{ path: reference.pointer, message, severity: 'error' }]
  })
  return [...malformed, ...wrong]
}

function findProblem({ root, keys, path }: Reference, roots: KnownRoots): string | undefined {
  if (!Object.hasOwn(roots, root)) {
    return `refers to ${path}; ${describeKnown(root, Object.keys(roots))}`
  }
  let schema: unknown = roots[root]
  for (const key of keys) {
    const properties = isRecord(schema) ? schema['properties'] : undefined
    // Missing fields are known only for a plain object without further fields.
    if (!isRecord(schema) || !isRecord(properties) || isOpen(schema)) return undefined
    if (!Object.hasOwn(properties, key)) return missing(path, key, Object.keys(properties))
    schema = properties[key]
  }
  return undefined
}

const combining = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties']

/** Unknown fields of an input are dropped, so only what the schema allows by name can be read. */
function isOpen(schema: Record<string, unknown>): boolean {
  const { additionalProperties: more } = schema
  return more === true || isRecord(more) || combining.some((keyword) => keyword in schema)
}

function missing(path: string, key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return `refers to ${path}, but ${key} does not exist${hint}`
}
