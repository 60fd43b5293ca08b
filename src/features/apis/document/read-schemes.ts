import type { AuthScheme, Json, JsonObject } from '../model.ts'
import type { References } from './references.ts'
import { listIn, memberOf, recordIn, textIn } from './values.ts'

/** The ways to sign requests that a document describes. */
export function readSchemes(references: References): AuthScheme[] {
  const { root } = references
  const described = {
    ...recordIn(root, 'securityDefinitions'),
    ...recordIn(recordIn(root, 'components'), 'securitySchemes'),
  }
  return Object.entries(described).flatMap(([name, given]) => {
    const scheme = toScheme(name, safely(references, given))
    return scheme === undefined ? [] : [scheme]
  })
}

function safely(references: References, given: Json): JsonObject | undefined {
  try {
    return references.follow(given)
  } catch {
    return undefined
  }
}

function toScheme(name: string, given: JsonObject | undefined): AuthScheme | undefined {
  const type = textIn(given, 'type')
  if (type === undefined) return undefined
  const place = textIn(given, 'in')
  const parameter = textIn(given, 'name')
  const isPlace = place === 'header' || place === 'query' || place === 'cookie'
  if (type === 'apiKey' && isPlace && parameter !== undefined) {
    return { name, kind: 'key', in: place, parameter }
  }
  const scheme = (type === 'http' ? textIn(given, 'scheme') : type)?.toLowerCase() ?? type
  if (scheme === 'basic') return { name, kind: 'basic' }
  const isBearer = ['bearer', 'oauth2', 'openidconnect'].includes(scheme)
  return isBearer ? { name, kind: 'bearer' } : { name, kind: 'unsupported', type: scheme }
}

/** Alternatives, each with the schemes needed together. Those nobody described are left out. */
export function readSecurity(
  operation: JsonObject,
  root: JsonObject,
  schemes: readonly AuthScheme[],
): string[][] {
  const known = new Set(schemes.map(({ name }) => name))
  const given = memberOf(operation, 'security') === undefined ? root : operation
  return listIn(given, 'security')
    .slice(0, 20)
    .map((alternative) => Object.keys(recordIn({ alternative }, 'alternative')))
    .map((names) => names.filter((name) => known.has(name)))
}
