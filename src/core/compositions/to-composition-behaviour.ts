import type { ForeignBehaviour } from '../define-tool.ts'
import { ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { planOf } from './plan-of.ts'
import { toPlannedSteps } from './planned-steps.ts'
import type { StepOutcome } from './composition-state.ts'
import { runComposition } from './run-composition.ts'
import type { CompositionSpec } from './spec.ts'

/** How a composition is tried out. */
export interface CompositionOptions {
  /** Outcomes in place of steps, by id: those steps are not made. */
  pins?: Readonly<Record<string, StepOutcome>>
}

/** The behaviour of a composition: every step is a call of its own, found again after a wait or a crash. */
export function toCompositionBehaviour(
  spec: CompositionSpec,
  { pins = {} }: CompositionOptions = {},
): ForeignBehaviour & { isResumable: true } {
  const plan = planOf(spec)
  return {
    isResumable: true,
    deadlineMs: spec.deadlineMs,
    steps: toPlannedSteps(spec, plan),
    execute(input, context, steps) {
      if (steps === undefined) throw new ToolError('internal', 'A composition needs its steps')
      const run = {
        input: input as JsonValue,
        steps,
        context,
        pins,
        outcomes: {},
        failure: undefined,
      }
      return runComposition({ spec, plan }, run)
    },
  }
}
