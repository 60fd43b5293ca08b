import type { PlannedStep } from '../kernel/steps/planned-step.ts'
import type { CompositionPlan } from './plan-of.ts'
import { type CompositionSpec, stepDefaults } from './spec.ts'

/** The steps as they are shown and run again from, without inputs and conditions. */
export function toPlannedSteps(
  { steps }: Pick<CompositionSpec, 'steps'>,
  plan: CompositionPlan,
): readonly PlannedStep[] {
  return steps.map(({ id, tool, each, when, onError = stepDefaults.onError }) => ({
    id,
    tool,
    waitsFor: [...(plan.get(id) ?? [])],
    isList: each !== undefined,
    isConditional: when !== undefined,
    mayFail: onError !== 'fail',
  }))
}

/** The step, and all that wait for it, directly or not. */
export function stepsFrom(steps: readonly PlannedStep[], from: string): ReadonlySet<string> {
  const after = new Map<string, string[]>()
  for (const { id, waitsFor } of steps) {
    for (const before of waitsFor) after.set(before, [...(after.get(before) ?? []), id])
  }
  const found = new Set([from])
  // A set is walked in the order of insertion, including what is added on the way.
  for (const id of found) for (const next of after.get(id) ?? []) found.add(next)
  return found
}
