import type { Condition } from '../shapes/condition.ts'
import { parsePath, type Reference } from '../shapes/reference.ts'
import { type FoundReference, referencesIn } from '../shapes/references-in.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import type { CompositionSpec, CompositionStep } from './spec.ts'

/** For every step, the steps that must have ended before it starts. */
export type CompositionPlan = ReadonlyMap<string, ReadonlySet<string>>

/**
 * A step waits for those in `after` (absent: the step before it in the list) and for every step it
 * refers to. Ids that no step has are left out; a cycle stays one, for checks to report.
 */
export function planOf({ steps }: Pick<CompositionSpec, 'steps'>): CompositionPlan {
  const ids = new Set(steps.map(({ id }) => id))
  return new Map(
    steps.map((step, index) => {
      const before = steps[index - 1]
      const named = step.after ?? (before === undefined ? [] : [before.id])
      const implied = stepReferences(step).flatMap((reference) => namedStep(reference) ?? [])
      return [step.id, new Set([...named, ...implied].filter((id) => ids.has(id)))]
    }),
  )
}

/** The id of the step that a reference reads; undefined for other roots. */
export function namedStep({ root, keys }: Pick<Reference, 'root' | 'keys'>): string | undefined {
  return root === 'steps' ? keys[0] : undefined
}

/** Everything a step refers to, with pointers into the step. Fields of conditions count. */
export function stepReferences(step: CompositionStep): FoundReference[] {
  const { input, when, each, repeat, onError } = step
  return [
    ...referencesIn(input, '/input'),
    ...(when ? conditionReferences(when, '/when') : []),
    ...referencesIn(each, '/each'),
    ...(repeat ? conditionReferences(repeat.until, '/repeat/until') : []),
    ...(typeof onError === 'object' ? referencesIn(onError.output, '/onError/output') : []),
  ]
}

/** The fields that a condition reads, and the references in its values. */
export function conditionReferences(condition: Condition, pointer: string): FoundReference[] {
  if ('not' in condition) return conditionReferences(condition.not, pointerStep(pointer, 'not'))
  if ('all' in condition) return eachReferences(condition.all, pointerStep(pointer, 'all'))
  if ('any' in condition) return eachReferences(condition.any, pointerStep(pointer, 'any'))
  const field = parsePath(condition.field)
  const at = pointerStep(pointer, 'field')
  return [
    ...(field === undefined ? [] : [{ ...field, pointer: at, isWhole: false }]),
    ...referencesIn(condition.value, pointerStep(pointer, 'value')),
  ]
}

function eachReferences(conditions: readonly Condition[], pointer: string): FoundReference[] {
  return conditions.flatMap((inner, index) =>
    conditionReferences(inner, pointerStep(pointer, index)),
  )
}
