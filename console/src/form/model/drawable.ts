import { drawnAt, noPicks } from './drawn.ts'
import type { FormModel } from './form-model.ts'
import { isRecord, stringsOf } from './schema.ts'

/** With more required fields than this, a form is unusable. */
const maxRequired = 1000

/** Why a schema is better filled in as JSON, or undefined when a form can be drawn. */
export function whyNotDrawn(model: FormModel): string | undefined {
  const drawn = drawnAt(model, model.root, { value: undefined, pointer: '', picks: noPicks })
  if (drawn.isNever) return 'The schema of this tool accepts no input at all.'
  if (drawn.lost !== undefined) return `The schema refers to ${drawn.lost}, which is not in it.`
  const { properties, required } = drawn.schema
  const known = isRecord(properties) ? properties : {}
  const asked = stringsOf(required).filter((name) => Object.hasOwn(known, name)).length
  return asked > maxRequired ? `${asked} fields must be filled in: too many for a form.` : undefined
}
