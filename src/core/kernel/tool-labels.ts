/** What a tool may bring into a session: text that others can write, and data that is not for others. */
export const dataKinds = ['untrusted', 'private'] as const

export type DataKind = (typeof dataKinds)[number]

/** What a call leaves behind, weakest first. `external` and `irreversible` are effects outside. */
export const outsideEffects = ['none', 'local', 'external', 'irreversible'] as const

export type OutsideEffect = (typeof outsideEffects)[number]

/** What operators say of tools for the data-flow rule. What is absent is not said; an empty list is. */
export interface ToolLabels {
  /** What its output may hold: `untrusted` text that others can write, `private` data that is not for others. */
  reads?: readonly DataKind[]
  /** How far its effect reaches: `none`, `local`, `external`, or `irreversible` outside. */
  effects?: OutsideEffect
}

/** A label with the tools it is for, and whose it is. */
export interface LabelRule {
  pattern: string
  labels: ToolLabels
  /** Configuration speaks for every tenant; a tenant can add to it, and never take from it. */
  origin: 'configuration' | 'tenant'
  /** Who set it and when, in words. */
  setBy: string
  /** Present when it could not be read: it then says the strictest, and this is why. */
  closed?: string
}
