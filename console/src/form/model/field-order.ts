import { fieldSpec } from './form-spec.ts'
import type { FormSpec, GroupSpec } from './form-spec.ts'
import { decidersIn } from './deciders.ts'
import { schemaEntries } from './schema.ts'
import type { SchemaObject } from './schema.ts'

/** The properties of an object as they are drawn. */
export interface FieldOrder {
  loose: string[]
  /** Only those with a field, each with the fields that are there. */
  groups: GroupSpec[]
}

/**
 * In the order of the definition, then of the schema, those of groups last. A field that a condition
 * brings comes right after the field that decides about it, unless the definition places it elsewhere.
 */
export function fieldOrder(spec: FormSpec, path: string, shape: SchemaObject): FieldOrder {
  const names = schemaEntries(shape['properties']).map(([name]) => name)
  const isRoot = path === ''
  const order = isRoot ? spec.order : fieldSpec(spec, path).order
  const groups = isRoot ? spec.groups : []
  const placed = new Set([...order, ...groups.flatMap(({ fields }) => fields)])
  const deciders = decidersIn(shape)
  const brought = names.filter((name) => deciders.has(name) && !placed.has(name))
  const others = inOrder(without(names, brought), order)
  const known = new Set(others)
  const lists = groups.map(({ fields }) => fields.filter((name) => known.has(name)))
  const loose = without(others, lists.flat())
  const { lost, below } = followers(brought, { deciders, base: [...loose, ...lists.flat()] })
  const withBelow = (name: string): string[] => [
    name,
    ...(below.get(name) ?? []).flatMap(withBelow),
  ]
  const filled = groups.map((group, at) => ({
    ...group,
    fields: (lists[at] ?? []).flatMap(withBelow),
  }))
  return {
    loose: [...loose, ...lost].flatMap(withBelow),
    groups: filled.filter(({ fields }) => fields.length > 0),
  }
}

/** All of them, from the top of the screen to its end. */
export function fieldsInOrder(spec: FormSpec, path: string, shape: SchemaObject): string[] {
  const { loose, groups } = fieldOrder(spec, path, shape)
  return [...loose, ...groups.flatMap(({ fields }) => fields)]
}

/** The names first that an order names, then the others as they are. */
export function inOrder(names: readonly string[], order: readonly string[]): string[] {
  const known = new Set(names)
  const first = order.filter((name) => known.has(name))
  return [...first, ...without(names, first)]
}

interface Base {
  deciders: ReadonlyMap<string, readonly string[]>
  base: readonly string[]
}

/**
 * Which fields follow which. Each follows the last of its deciders that has a place before it does, so
 * that two fields that decide about each other do not both go missing.
 */
function followers(brought: readonly string[], { deciders, base }: Base) {
  const places = [...base]
  const below = new Map<string, string[]>()
  const lost: string[] = []
  for (const name of brought) {
    const anchor = places.findLast((one) => deciders.get(name)?.includes(one) === true)
    if (anchor === undefined) lost.push(name)
    else below.set(anchor, [...(below.get(anchor) ?? []), name])
    places.push(name)
  }
  return { lost, below }
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others)
  return names.filter((name) => !left.has(name))
}
