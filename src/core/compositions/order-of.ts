import { ToolError } from '../kernel/errors.ts'
import type { CompositionPlan } from './plan-of.ts'
import type { CompositionStep } from './spec.ts'

/**
 * The steps in an order in which each follows those it waits for; otherwise as written. Throws if
 * they wait for each other in a circle, which checks report before.
 */
export function orderOf(
  steps: readonly CompositionStep[],
  plan: CompositionPlan,
): readonly CompositionStep[] {
  const ordered: CompositionStep[] = []
  const placed = new Set<string>()
  let left = steps
  while (left.length > 0) {
    const later: CompositionStep[] = []
    for (const step of left) {
      const isReady = [...(plan.get(step.id) ?? [])].every((id) => placed.has(id))
      if (!isReady) later.push(step)
      else {
        ordered.push(step)
        placed.add(step.id)
      }
    }
    if (later.length === left.length) throw circle(later)
    left = later
  }
  return ordered
}

function circle(steps: readonly CompositionStep[]): ToolError {
  const names = steps.map(({ id }) => id).join(', ')
  return new ToolError('invalid_tool', `These steps wait for each other: ${names}`)
}
