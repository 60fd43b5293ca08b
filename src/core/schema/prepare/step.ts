import type { Subschema } from '../document/keywords.ts'
import type { ResolveRef } from '../document/resolve-ref.ts'
import type { Choice, Shape } from './shape.ts'

/** Prepares one value; gives back the same value when there is nothing to do. Never changes it. */
export type Step = (value: unknown, depth: number, effort: Effort) => unknown

/** How many keys may still be looked at: a few bytes of defaults can unfold into millions. */
export interface Effort {
  left: number
}

/** What the parts need from the whole. */
export interface StepMaker {
  readonly resolve: ResolveRef
  readonly appliesDefaults: boolean
  /** The step for a value that all these schemas judge; undefined when they never have one to do. */
  makeStep(schemas: readonly Subschema[]): Step | undefined
}

/** The schemas of one place, with the unions that are settled there. */
export interface Situation {
  readonly schemas: readonly Subschema[]
  readonly shape: Shape
  readonly choices: readonly Choice[]
}
