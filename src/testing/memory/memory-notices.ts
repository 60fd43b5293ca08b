import type { ApprovalNotice } from '../../core/approvals/approval.ts'
import type { ApprovalStore } from '../../core/approvals/approval-store.ts'
import type { MemoryCalls } from './memory-calls.ts'

/** Who has still to be told, in a map. */
export function createMemoryNotices(
  calls: MemoryCalls,
): Pick<ApprovalStore, 'claimNotices' | 'endNotice' | 'delayNotice'> {
  const states = new Map<string, { tries: number; dueAt: number; isOver: boolean }>()
  return {
    async claimNotices(limit, leaseMs) {
      const claimed: ApprovalNotice[] = []
      for (const { tenant, callId, approval, requestedAt } of calls.asked()) {
        if (!approval.isAnnounced || claimed.length >= limit) continue
        const state = states.get(approval.id) ?? { tries: 0, dueAt: 0, isOver: false }
        if (state.isOver || state.dueAt > Date.now()) continue
        const tries = state.tries + 1
        states.set(approval.id, { tries, dueAt: Date.now() + leaseMs, isOver: false })
        claimed.push({ tenant, approvalId: approval.id, callId, createdAt: requestedAt, tries })
      }
      return claimed
    },
    async endNotice({ approvalId, tries }) {
      states.set(approvalId, { tries, dueAt: 0, isOver: true })
    },
    async delayNotice({ approvalId, tries }, until) {
      states.set(approvalId, { tries, dueAt: until, isOver: false })
    },
  }
}
