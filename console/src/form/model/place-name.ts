import { schemaOfItem, schemaOfKey } from './concrete.ts'
import { drawnAt } from './drawn.ts'
import type { Picks } from './drawn.ts'
import { childPath, fieldSpec } from './form-spec.ts'
import type { FormModel } from './form-model.ts'
import { toLabel, toSingular } from './labels.ts'
import { childOf, childPointer, pointerParts } from './pointer.ts'
import type { Maybe } from './pointer.ts'
import { textOf } from './schema.ts'
import type { Schema } from './schema.ts'

/** What a place is called on the screen: `Tasks › Task 2 › Minutes each`. */
export function placeName(
  model: FormModel,
  { value, picks }: { value: Maybe; picks: Picks },
  pointer: string,
): string {
  const names: string[] = []
  let at: { schema: Schema; value: Maybe; pointer: string; path: string } = {
    schema: model.root,
    value,
    pointer: '',
    path: '',
  }
  for (const key of pointerParts(pointer)) {
    const { schema: shape } = drawnAt(model, at.schema, { ...at, picks })
    const isItem = Array.isArray(at.value)
    const schema = isItem ? schemaOfItem(shape, Number(key)) : schemaOfKey(shape, key)
    const path = isItem ? `${at.path}[]` : childPath(at.path, key)
    const child = childPointer(at.pointer, key)
    const held = childOf(at.value, key)
    const drawn = drawnAt(model, schema, { value: held, pointer: child, picks })
    const title = fieldSpec(model.spec, path).label ?? textOf(drawn.schema['title'])
    names.push(
      isItem ? `${toSingular(names.at(-1) ?? 'Item')} ${Number(key) + 1}` : (title ?? toLabel(key)),
    )
    at = { schema, value: held, pointer: child, path }
  }
  return names.join(' › ')
}
