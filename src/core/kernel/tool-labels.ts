/**
 * The data a tool may bring into a session: text that others can write, and data that is not for
 * others.
 */
export const dataKinds = ['untrusted', 'private'] as const

export type DataKind = (typeof dataKinds)[number]

/**
 * The effect a call leaves behind, weakest first. `external` and `irreversible` are effects
 * outside.
 */
export const outsideEffects = ['none', 'local', 'external', 'irreversible'] as const

export type OutsideEffect = (typeof outsideEffects)[number]

/**
 * Labels that operators set on tools for the data-flow rule. An absent label is unset; an empty
 * list is set.
 */
export interface ToolLabels {
  /**
   * The data its output may contain: `untrusted` text that others can write, `private` data that is
   * not for others.
   */
  reads?: readonly DataKind[]
  /** The reach of its effect: `none`, `local`, `external`, or `irreversible` outside. */
  effects?: OutsideEffect
}

/** A label with the tools it applies to, and its origin. */
export interface LabelRule {
  pattern: string
  labels: ToolLabels
  /** Configuration applies to every tenant; a tenant can add labels, but not remove any. */
  origin: 'configuration' | 'tenant'
  /** The author and time of the change, as text. */
  setBy: string
  /**
   * Set when the label could not be read: the strictest values then apply, and this is the reason.
   */
  closed?: string
}
