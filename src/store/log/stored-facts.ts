import type { Decision } from '../../core/kernel/call.ts'
import type { CallStart } from '../../core/call-log.ts'

/** Columns that are never searched. */
export interface StoredFacts extends Pick<
  CallStart,
  | 'runtime'
  | 'execution'
  | 'isRepeatable'
  | 'timeoutMs'
  | 'permissions'
  | 'parents'
  | 'skill'
  | 'onBehalfOf'
  | 'person'
  | 'work'
  | 'position'
  | 'askedDigest'
  | 'purpose'
  | 'undoes'
  | 'rerun'
  | 'stepKey'
  | 'isItem'
  | 'itemCount'
  | 'isResumable'
  | 'isPinned'
  | 'isTrial'
  | 'depth'
> {
  decision?: Decision
  /** The input as it came, where the recorded one was redacted. */
  sealedInput?: string
  approvalId?: string
}

export function toFacts(start: CallStart, sealedInput: string | undefined): StoredFacts {
  return {
    runtime: start.runtime,
    execution: start.execution,
    isRepeatable: start.isRepeatable,
    timeoutMs: start.timeoutMs,
    decision: start.decision,
    permissions: start.permissions,
    parents: start.parents,
    skill: start.skill,
    work: start.work,
    position: start.position,
    askedDigest: start.askedDigest,
    purpose: start.purpose,
    undoes: start.undoes,
    rerun: start.rerun,
    stepKey: start.stepKey,
    isItem: start.isItem,
    itemCount: start.itemCount,
    isResumable: start.isResumable,
    isPinned: start.isPinned,
    isTrial: start.isTrial,
    depth: start.depth,
    onBehalfOf: start.onBehalfOf,
    person: start.person,
    approvalId: start.approval?.id,
    sealedInput,
  }
}
