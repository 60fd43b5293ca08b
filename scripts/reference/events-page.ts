import { z } from 'zod'
import type { EventDefinition } from '../../src/core/events/define-events.ts'
import { eventDefinitions } from '../../src/features/declarations.ts'
import { code, table } from './markdown.ts'

/** As much of a JSON Schema as payloads use. */
type Scalar = string | number | boolean | null

interface Node {
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly Scalar[]
  const?: Scalar
  properties?: Record<string, Node>
  required?: readonly string[]
  items?: Node
  anyOf?: readonly Node[]
}

/** Every event type with its fields. */
export function eventsPage(): string {
  const all: [string, EventDefinition][] = Object.entries(eventDefinitions)
  const intro =
    'The payload (`data`) of each event type. `field?` may be absent. Fields are added to a type, never renamed or removed; an event that an earlier version wrote may lack fields.'
  const index = all.map(([type, { meaning }]) => [
    `[${code(type)}](#${type.replaceAll('.', '')})`,
    meaning,
  ])
  const sections = all.map(([type, { meaning, data }]) => {
    const rows = fieldRows(z.toJSONSchema(data(), { reused: 'inline' }) as Node, '')
    return `## ${code(type)}\n\n${meaning}.\n\n${table(['field', 'type', 'means'], rows)}`
  })
  return [intro, table(['type', 'means'], index), ...sections].join('\n\n')
}

function fieldRows(node: Node, prefix: string): string[][] {
  // One form or another: each has its fields, and none of them is always there.
  const forms = node.anyOf?.filter(({ properties }) => properties !== undefined)
  if (forms !== undefined && forms.length > 0) {
    return forms.flatMap((form) => fieldRows({ ...form, required: [] }, prefix))
  }
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const isAlways = node.required?.includes(name) === true
    const key = `${prefix}${name}`
    const row = [code(isAlways ? key : `${key}?`), typeName(child), child.description ?? '']
    return [row, ...fieldRows(child, `${key}.`), ...fieldRows(child.items ?? {}, `${key}[].`)]
  })
}

function typeName(node: Node): string {
  if (node.const !== undefined) return code(String(node.const))
  if (node.enum !== undefined) return node.enum.map((value) => code(String(value))).join(', ')
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(typeName))].join(' or ')
  if (node.type === 'array') return `list of ${typeName(node.items ?? {})}`
  if (node.format === 'date-time') return 'time'
  return [node.type ?? 'any JSON'].flat().join(' or ')
}
