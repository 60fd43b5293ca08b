/** How a call runs another one again. */
export interface Rerun {
  /** The call that it runs again. */
  of: string
  /** The step it starts from, with results of the other call for the steps that do not follow. */
  from?: string
  /** How many results it takes from the other call. If fewer are left later, steps would run twice. */
  kept?: number
}
