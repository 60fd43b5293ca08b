/** A step of a composition, as far as it is known before it runs. */
export interface PlannedStep {
  id: string
  tool: string
  /** The steps that must have ended before it starts. */
  waitsFor: readonly string[]
  /** It runs for every item of a list. */
  isList: boolean
  /** It is skipped if its condition does not hold. */
  isConditional: boolean
  /** The composition continues if it fails. */
  mayFail: boolean
}
