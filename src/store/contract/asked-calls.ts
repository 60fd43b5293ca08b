import type { ApprovalRule } from '../../core/approvals/approval.ts'
import type { DecisionEntry } from '../../core/approval-store.ts'
import type { CallStart } from '../../core/call-log.ts'
import { createId } from '../../core/kernel/ids.ts'
import { eventOf, freshTenant, startOf } from './records.ts'

export const work = { queue: 'calls', priority: 0 }
export const anna = { kind: 'user', id: 'anna' } as const
export const inAnHour = () => Date.now() + 3_600_000

/** A call that waits for approval. */
export type CallToDecide = CallStart & { approval: NonNullable<CallStart['approval']> }

export function askedOf(
  more: Partial<CallStart> = {},
  terms: Partial<CallToDecide['approval']> = {},
  tenant = freshTenant(),
): CallToDecide {
  const approval = {
    id: createId('appr'),
    reasons: ['it always needs approval'],
    needed: 1,
    isRequesterBarred: false,
    expiresAt: inAnHour(),
    isAnnounced: false,
    ...terms,
  }
  const start = startOf(tenant, {
    status: 'waiting',
    waitingFor: 'approval',
    attempt: 0,
    startedAt: undefined,
    execution: 'background',
    work,
    deadlineAt: approval.expiresAt,
    requestedAt: Date.now(),
    events: [eventOf('call.requested'), eventOf('approval.requested'), eventOf('call.waiting')],
    ...more,
  })
  return { ...start, approval }
}

/** An approval of it. */
export function yes(more: Partial<DecisionEntry> = {}, rule?: ApprovalRule): DecisionEntry {
  return {
    by: anna,
    at: Date.now(),
    revision: 0,
    ruling: {
      kind: 'approve',
      work,
      rule,
      toEvents: (missing) => [eventOf('approval.granted', { missing })],
    },
    ...more,
  }
}
