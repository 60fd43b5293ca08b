import type { CompositionStep } from '../../../core/compositions/spec.ts'
import { namedStep, stepReferences } from '../../../core/compositions/plan-of.ts'
import type { Effect } from '../../../core/kernel/tool.ts'

/** A step, and when its call was made. */
export interface TimedStep {
  step: CompositionStep
  effect: Effect
  startedAt: number
  endedAt: number
}

/**
 * The steps that each step waits for, beside those it refers to. Reads run beside each other. A step
 * with an effect waits for all that had ended before it on record, and reads wait for it: a tool
 * may see what another has changed without a value that shows it.
 */
export function orderSteps(steps: readonly TimedStep[]): CompositionStep[] {
  const above = new Map<string, ReadonlySet<string>>()
  return steps.map((timed, index) => {
    const { step } = timed
    const earlier = steps.slice(0, index)
    const data = new Set(stepReferences(step).flatMap((reference) => namedStep(reference) ?? []))
    const order = earlier.filter((one) => mustEndFirst(one, timed)).map((one) => one.step.id)
    const named = [...data, ...order]
    const isImplied = (id: string) => named.some((one) => one !== id && above.get(one)?.has(id))
    const after = order.filter((id) => !data.has(id) && !isImplied(id))
    above.set(step.id, new Set(named.flatMap((id) => [id, ...(above.get(id) ?? [])])))
    const before = steps[index - 1]?.step.id
    const isInOrder = before === undefined || above.get(step.id)?.has(before) === true
    const isDefault = isInOrder && after.every((id) => id === before)
    return isDefault ? step : { ...step, after }
  })
}

function mustEndFirst(earlier: TimedStep, { effect, startedAt }: TimedStep): boolean {
  if (earlier.endedAt > startedAt) return false
  return effect !== 'read' || earlier.effect !== 'read'
}
