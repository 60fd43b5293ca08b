import { z } from 'zod'
import type { Issue } from '../../core/kernel/errors.ts'
import { findNearest } from '../../core/patterns/nearest-name.ts'
import { cutFindings, maxFindings } from '../../core/schema/findings.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { configSchema } from './config-schema.ts'

/** Describes the problems of a configuration, with a suggestion for each unknown key. */
export function toConfigIssues(error: z.core.$ZodError): Issue[] {
  const issues = error.issues.slice(0, maxFindings + 1).flatMap((issue) => {
    const path = '/' + issue.path.map(String).join('/')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    const known = keysAt(issue.path)
    return issue.keys.map((key) => ({
      path: path === '/' ? `/${key}` : `${path}/${key}`,
      message: unknownKey(key, known),
    }))
  })
  return cutFindings(issues)
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known)
  if (nearest !== undefined) return `is not a known key; did you mean ${nearest}?`
  return known.length === 0
    ? 'is not a known key'
    : `is not a known key. The keys here are ${known.join(', ')}`
}

/** The keys that an object at this place may have, in any of its forms. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let places: unknown[] = [z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' })]
  for (const step of path) places = formsOf(places).flatMap((schema) => stepInto(schema, step))
  const keys = formsOf(places).flatMap(({ properties }) =>
    isRecord(properties) ? Object.keys(properties) : [],
  )
  return [...new Set(keys)]
}

function formsOf(schemas: readonly unknown[]): Record<string, unknown>[] {
  return schemas.filter(isRecord).flatMap((schema) => {
    const branches = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((list) =>
      Array.isArray(list) ? formsOf(list) : [],
    )
    return [schema, ...branches]
  })
}

function stepInto(schema: Record<string, unknown>, step: PropertyKey): unknown[] {
  const { properties, items, additionalProperties } = schema
  if (typeof step === 'number') return [items]
  const named = isRecord(properties) ? properties[String(step)] : undefined
  return [named ?? additionalProperties]
}
