import { isRecord, isSchema } from './schema.ts'
import type { Schema } from './schema.ts'

export type FindReference = (reference: string) => Schema | undefined

/** Finds what a `$ref` names inside one schema: a pointer, an anchor or an `$id`. Never fetches anything. */
export function createReferences(root: Schema): FindReference {
  let names: Map<string, Schema> | undefined
  const known = new Map<string, Schema | undefined>()
  const find = (reference: string): Schema | undefined => {
    const [document = '', fragment = ''] = reference.split('#', 2)
    const start = document === '' ? root : (names ??= indexNames(root)).get(lastPart(document))
    if (fragment === '' || start === undefined) return start
    if (fragment.startsWith('/')) return follow(start, fragment)
    return (names ??= indexNames(root)).get(`#${fragment}`)
  }
  return (reference) => {
    if (!known.has(reference)) known.set(reference, find(reference))
    return known.get(reference)
  }
}

function follow(start: Schema, fragment: string): Schema | undefined {
  let current: unknown = start
  for (const part of fragment.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) {
      return undefined
    }
    current = (current as Record<string, unknown>)[key]
  }
  return isSchema(current) ? current : undefined
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `https://example.org/schemas/address` and `address` are one name: nothing is fetched by it. */
function lastPart(id: string): string {
  return id.split('/').at(-1) ?? id
}

function indexNames(root: Schema): Map<string, Schema> {
  const names = new Map<string, Schema>()
  const waiting: unknown[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next.filter((item) => typeof item === 'object'))
    if (!isRecord(next)) continue
    const { $id, $anchor, $dynamicAnchor } = next
    if (typeof $id === 'string') names.set(lastPart($id.replace(/#$/, '')), next)
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string' && !names.has(`#${anchor}`)) names.set(`#${anchor}`, next)
    }
    for (const value of Object.values(next)) {
      if (typeof value === 'object' && value !== null) waiting.push(value)
    }
  }
  return names
}
