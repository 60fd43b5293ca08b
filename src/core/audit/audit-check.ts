/** Every way in which a chain can turn out wrong, with what it means. */
export const auditProblems = {
  changed: 'An event was changed, moved or replaced',
  removed: 'An event is gone, and it was not retention that took it',
  inserted: 'An event is there that was not when its segment was sealed',
  segment_changed: 'The record of a segment is not as it was sealed',
  segments_missing: 'Segments of the chain are gone',
  link_broken: 'A segment does not follow from the one before it',
  end_changed: 'The end of the chain is not as it was left: segments after it may be gone',
  sealed_after_break: 'When this was sealed, the end of the chain was not as it had been left',
  anchor_differs: 'The segment has another digest than the one that was kept elsewhere',
  anchor_missing:
    'The segment that was kept elsewhere is not in the chain: it was cut off or rebuilt',
} as const

export type AuditProblemKind = keyof typeof auditProblems

/** Something that is wrong, and where: in which segment, between which events. */
export interface AuditProblem {
  kind: AuditProblemKind
  segment: number
  message: string
  /** The last event before it that is in order; absent at the beginning. */
  afterEvent?: string
  /** The first event after it that is in order, within the segment. */
  beforeEvent?: string
  /** Events that are there and should not be as they are. */
  found?: readonly string[]
  /** How many records (events written together) should be there and are not. */
  missing?: number
}

/** A segment with its digest: what somebody keeps elsewhere to prove later that the chain is the same. */
export interface AuditAnchor {
  number: number
  /** Hex. */
  digest: string
}

/** What one stretch of a chain turned out to be. Stretches are checked one after the other, until there is no `next`. */
export interface AuditCheck {
  /** How many segments and events in them were looked at in this stretch. */
  segments: number
  events: number
  /** Where the stretch begins and ends; absent where there is no segment. */
  from?: { segment: number; at: string }
  to?: { segment: number; digest: string; at: string }
  problems: readonly AuditProblem[]
  /** Records (events written together) that retention took away, up to which time. */
  removed?: { records: number; until: string }
  /** At the end: records that are too new to be sealed. At most `maxUnsealed` are counted. */
  unsealed?: number
  /** Go on after this segment. */
  next?: number
}

export const maxUnsealed = 10_000
