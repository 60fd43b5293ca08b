import { schemaOfItem, schemaOfKey } from '../concrete.ts'
import { drawnAt } from '../drawn.ts'
import type { DrawnPlace } from '../drawn.ts'
import { childPath } from '../form-spec.ts'
import type { FormModel } from '../form-model.ts'
import { childOf, childPointer, pointerParts } from '../pointer.ts'
import type { Maybe } from '../pointer.ts'
import type { Schema, SchemaObject } from '../schema.ts'

/** One step from what holds something to what it holds. */
export interface Step {
  key: string
  /** Its parent is a list. */
  isItem: boolean
  /** Its parent as drawn, and the parent's path in a definition. */
  shape: SchemaObject
  pathOfShape: string
  schema: Schema
  value: Maybe
  pointer: string
  path: string
}

/** From the root of a form to a place in it. */
export function stepsTo(
  model: FormModel,
  pointer: string,
  { value, picks }: Omit<DrawnPlace, 'pointer'>,
): Step[] {
  const steps: Step[] = []
  let at: Pick<Step, 'schema' | 'value' | 'pointer' | 'path'> = {
    schema: model.root,
    value,
    pointer: '',
    path: '',
  }
  for (const key of pointerParts(pointer)) {
    const { schema: shape } = drawnAt(model, at.schema, { ...at, picks })
    const isItem = Array.isArray(at.value)
    const step: Step = {
      key,
      isItem,
      shape,
      pathOfShape: at.path,
      schema: isItem ? schemaOfItem(shape, Number(key)) : schemaOfKey(shape, key),
      value: childOf(at.value, key),
      pointer: childPointer(at.pointer, key),
      path: isItem ? `${at.path}[]` : childPath(at.path, key),
    }
    steps.push(step)
    at = step
  }
  return steps
}
