import { drawnAt } from '../drawn.ts'
import type { Picks } from '../drawn.ts'
import { fieldSpec } from '../form-spec.ts'
import type { FormModel } from '../form-model.ts'
import { toLabel, toSingular } from '../labels/labels.ts'
import type { Maybe } from '../pointer.ts'
import { textOf } from '../schema.ts'
import { stepsTo } from './steps-to.ts'

/** The name of a place on the screen: `Tasks › Task 2 › Minutes each`. */
export function placeName(
  model: FormModel,
  { value, picks }: { value: Maybe; picks: Picks },
  pointer: string,
): string {
  const names: string[] = []
  for (const step of stepsTo(model, pointer, { value, picks })) {
    const drawn = drawnAt(model, step.schema, { ...step, picks })
    const title = fieldSpec(model.spec, step.path).label ?? textOf(drawn.schema['title'])
    names.push(
      step.isItem
        ? `${toSingular(names.at(-1) ?? 'Item')} ${Number(step.key) + 1}`
        : (title ?? toLabel(step.key)),
    )
  }
  return names.join(' › ')
}
