import type { Subschema } from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'
import type { Choice, Shape } from './shape.ts'

/** Prepares one value; returns the same value when there is nothing to do. Never changes it. */
export type Step = (value: unknown, depth: number, effort: Effort) => unknown

/** How many more keys may be visited: a few bytes of defaults can expand into millions. */
export interface Effort {
  left: number
}

/** The interface of the step maker for the steps. */
export interface StepMaker {
  readonly resolve: ResolveRef
  readonly appliesDefaults: boolean
  /** The step for a value that all these schemas apply to; undefined if they never need one. */
  makeStep(schemas: readonly Subschema[]): Step | undefined
}

/** The schemas of one place, with the unions that are decided there. */
export interface Situation {
  readonly schemas: readonly Subschema[]
  readonly shape: Shape
  readonly choices: readonly Choice[]
}
