import type { Settlement, StoredCall } from './call-log.ts'
import type { ApprovalPreview } from './approvals/approval-preview.ts'
import type { Principal } from './kernel/call.ts'
import type { NewEvent } from './events/event.ts'
import type { Page } from './kernel/page.ts'
import type { JsonValue } from './kernel/tool.ts'
import type { WorkOrder } from './work-ports.ts'
import type {
  Approval,
  ApprovalOutbox,
  ApprovalQuery,
  ApprovalRule,
  ApprovalRuleBook,
  DecisionResult,
} from './approvals/approval.ts'

/** One decision, with all its consequences. */
export interface DecisionEntry {
  by: Principal
  /** For a key: the person who owns it. */
  person?: Principal
  at: number
  /** The input that was decided on. */
  revision: number
  reason?: string
  /** The new input of the call, as recorded and, if that was redacted, in full. */
  edit?: { input: JsonValue; rawInput?: JsonValue; preview?: ApprovalPreview | undefined }
  ruling:
    | {
        kind: 'approve'
        /** The queue for its job once all approvals are given. */
        work: WorkOrder
        /** The events of the call, given the number of approvals still missing. */
        toEvents(missing: number): NewEvent[]
        rule?: ApprovalRule
      }
    | { kind: 'reject'; settlement: Settlement }
}

/** An approval that is needed again: the call would do something else now. */
export interface Reopening {
  callId: string
  at: number
  expiresAt: number
  preview: ApprovalPreview
  /** An outside system must be notified of it. */
  isAnnounced: boolean
  events: readonly NewEvent[]
}

/** Pending approvals, their decisions, and remembered approvals. */
export interface ApprovalStore extends ApprovalRuleBook, ApprovalOutbox {
  find(tenant: string, id: string): Promise<Approval | undefined>
  /** With its call, ready to run. */
  findWithCall(
    tenant: string,
    id: string,
  ): Promise<{ approval: Approval; call: StoredCall } | undefined>
  /** Newest first. */
  list(tenant: string, query: ApprovalQuery): Promise<Page<Approval>>
  /** In one transaction with its effect on the call: no partial decision is ever visible. */
  decide(tenant: string, id: string, entry: DecisionEntry): Promise<DecisionResult>
  /**
   * Ends a call whose approval has expired, together with the approval. False when someone decided
   * first.
   */
  expire(settlement: Settlement): Promise<boolean>
  /**
   * Puts an approved call that is queued back to waiting, and its approval to pending, under the next
   * revision: earlier decisions do not count. False when the call has started or ended.
   */
  reopen(tenant: string, id: string, reopening: Reopening): Promise<boolean>
}
