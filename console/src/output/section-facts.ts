import type { JsonObject, JsonValue } from '../api/json.ts'
import { resolve } from './resolve-path.ts'
import type { DrawnKind } from './shape.ts'
import { isObject, own } from './values/view-types.ts'
import type { ViewKind, ViewSection } from './values/view-types.ts'

/** The facts that each kind of text can have, as the server's contract names them (docs/guide/output.md). */
const factsOf: Partial<Record<DrawnKind, readonly string[]>> = {
  code: ['path', 'language', 'firstLine', 'lines', 'totalLines', 'truncated'],
  terminal: ['stderr', 'exitCode', 'signal', 'timedOut', 'durationMs', 'truncated'],
  diff: ['files', 'truncated'],
  page: ['url', 'title', 'status', 'format', 'truncated'],
}

interface Section {
  path: string
  kind: DrawnKind
  fields: ViewSection['fields']
}

/** The facts about a part, from the keys beside it; undefined if its kind has none. */
export function readFacts(output: JsonValue, section: Section): JsonObject | undefined {
  const names = factsOf[section.kind]
  if (names === undefined) return undefined
  const beside = resolve(output, above(section.path))
  if (!isObject(beside) || section.path === '') return {}
  const facts: JsonObject = {}
  for (const name of names) {
    const value = own(beside, keyOf(name, section.fields))
    if (value !== undefined && value !== null) facts[name] = value
  }
  return facts
}

/** Keys of the output that are drawn with this section, so not by themselves. */
export function keysOfFacts(output: JsonValue, { path, kind, fields }: ViewSection): string[] {
  const isTop = path !== '' && (!path.startsWith('/') || path.indexOf('/', 1) < 0)
  const names = isTop && isText(resolve(output, path)) ? (factsOf[kind as ViewKind] ?? []) : []
  return names.map((name) => keyOf(name, fields))
}

function keyOf(name: string, fields: ViewSection['fields'] = {}): string {
  return Object.hasOwn(fields, name) ? (fields[name] ?? name) : name
}

function above(path: string): string {
  return path.startsWith('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string'
}
