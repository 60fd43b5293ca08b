/** Every kind of problem in a chain, with its meaning. */
export const auditProblems = {
  changed: 'An event was changed, moved or replaced',
  removed: 'An event is missing, and retention did not remove it',
  inserted: 'An event is present that did not exist when its segment was sealed',
  segment_changed: 'The record of a segment has changed since it was sealed',
  segments_missing: 'Segments of the chain are missing',
  link_broken: 'A segment does not follow from the one before it',
  end_changed: 'The end of the chain has changed: later segments may be missing',
  sealed_after_break: 'When this was sealed, the end of the chain had changed',
  anchor_differs: 'The digest of the segment differs from the saved one',
  anchor_missing: 'The saved segment is not in the chain: it was cut off or rebuilt',
} as const

export type AuditProblemKind = keyof typeof auditProblems

/** One problem and its place: the segment, and the events around it. */
export interface AuditProblem {
  kind: AuditProblemKind
  segment: number
  message: string
  /** The last valid event before it; absent at the beginning. */
  afterEvent?: string
  /** The first valid event after it, within the segment. */
  beforeEvent?: string
  /** Events that were changed, moved or added. */
  found?: readonly string[]
  /** How many records (events written together) are missing. */
  missing?: number
}

/** A segment with its digest, saved elsewhere to prove later that the chain is unchanged. */
export interface AuditAnchor {
  number: number
  /** Hex. */
  digest: string
}

/**
 * The result for one stretch of a chain. Stretches are checked one after the other, until there is
 * no `next`.
 */
export interface AuditCheck {
  /** How many segments and events were checked in this stretch. */
  segments: number
  events: number
  /** The start and end of the stretch; absent without segments. */
  from?: { segment: number; at: string }
  to?: { segment: number; digest: string; at: string }
  problems: readonly AuditProblem[]
  /** Records (events written together) that retention removed, and the time up to which it did. */
  removed?: { records: number; until: string }
  /** At the end: records that are too new to be sealed. At most `maxUnsealed` are counted. */
  unsealed?: number
  /** Continue after this segment. */
  next?: number
}

export const maxUnsealed = 10_000
