import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import type { Json, JsonObject } from '../../model.ts'
import { memberOf, recordIn, textIn } from '../values.ts'

/** A branch of a union, with the values of the property that chooses it. */
export interface ChosenBranch {
  schema: Json
  chosenBy?: { property: string; values: string[] }
}

/** The branches of a union, each with the values that a discriminator gives it. */
export function toBranches(schema: JsonObject, branches: readonly Json[]): ChosenBranch[] {
  const { discriminator } = schema
  // A plain text is how Swagger 2 wrote it.
  const property =
    typeof discriminator === 'string' ? discriminator : textIn(discriminator, 'propertyName')
  if (property === undefined) return branches.map((branch) => ({ schema: branch }))
  const mapping = Object.entries(recordIn(discriminator, 'mapping'))
  return branches.map((branch) => {
    const ref = isRecord(branch) ? memberOf(branch, '$ref') : undefined
    if (typeof ref !== 'string') return { schema: branch }
    const mapped = mapping.filter(([, target]) => isSameTarget(target, ref)).map(([value]) => value)
    const values = mapped.length > 0 ? mapped : [nameOf(ref)]
    return { schema: branch, chosenBy: { property, values } }
  })
}

/** A mapping names a schema by its reference, or by its name alone. */
function isSameTarget(target: Json, ref: string): boolean {
  return (
    target === ref || (typeof target === 'string' && !/[#/]/.test(target) && target === nameOf(ref))
  )
}

/** The last part of a reference. */
export function nameOf(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1)
  return last.replaceAll('~1', '/').replaceAll('~0', '~')
}
