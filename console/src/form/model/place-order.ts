import type { Issue } from '../../api/problem.ts'
import { schemaOfItem, schemaOfKey } from './concrete.ts'
import { drawnAt } from './drawn.ts'
import type { Place } from './drawn.ts'
import { childPath, fieldSpec, inOrder } from './form-spec.ts'
import type { FormModel } from './form-model.ts'
import { childOf, childPointer, pointerParts } from './pointer.ts'
import type { Maybe } from './pointer.ts'
import { schemaEntries } from './schema.ts'
import type { Schema, SchemaObject } from './schema.ts'

/** Issues in the order in which their fields stand on the screen. */
export function inPlaceOrder(
  model: FormModel,
  issues: readonly Issue[],
  place: Omit<Place, 'pointer'>,
): Issue[] {
  if (issues.length < 2 || issues.length > maxSorted) return [...issues]
  const ranks = new Map(issues.map(({ pointer }) => [pointer, rankOf(model, pointer, place)]))
  return issues.toSorted((a, b) => compare(ranks.get(a.pointer) ?? [], ranks.get(b.pointer) ?? []))
}

/** So many are no list to go through one by one. */
const maxSorted = 500

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

function rankOf(model: FormModel, pointer: string, { value, picks }: Omit<Place, 'pointer'>) {
  const ranks: number[] = []
  let at: { schema: Schema; value: Maybe; pointer: string; path: string } = {
    schema: model.root,
    value,
    pointer: '',
    path: '',
  }
  for (const key of pointerParts(pointer)) {
    const { schema: shape } = drawnAt(model, at.schema, { ...at, picks })
    const isItem = Array.isArray(at.value)
    ranks.push(isItem ? Number(key) : namesOf(model, shape, at.path).indexOf(key))
    at = {
      schema: isItem ? schemaOfItem(shape, Number(key)) : schemaOfKey(shape, key),
      value: childOf(at.value, key),
      pointer: childPointer(at.pointer, key),
      path: isItem ? `${at.path}[]` : childPath(at.path, key),
    }
  }
  return ranks
}

/** The properties as they are drawn: in the order of the definition, those of groups behind. */
function namesOf({ spec }: FormModel, shape: SchemaObject, path: string): string[] {
  const names = schemaEntries(shape['properties']).map(([name]) => name)
  if (path !== '') return inOrder(names, fieldSpec(spec, path).order)
  const grouped = spec.groups.flatMap(({ fields }) => fields)
  const isGrouped = new Set(grouped)
  return [...inOrder(names, spec.order).filter((name) => !isGrouped.has(name)), ...grouped]
}
