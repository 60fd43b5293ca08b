import type { Settlement, StoredCall } from './call-log.ts'
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

/** One decision, with all that follows from it. */
export interface DecisionEntry {
  by: Principal
  /** Whose key that is, where it is one. */
  person?: Principal
  at: number
  /** The input that was decided on. */
  revision: number
  reason?: string
  /** The call's input from now on, as recorded and, where that was redacted, as it came. */
  edit?: { input: JsonValue; rawInput?: JsonValue }
  ruling:
    | {
        kind: 'approve'
        /** Where its job goes once nobody is missing. */
        work: WorkOrder
        /** The events of the call, told how many people are still missing. */
        toEvents(missing: number): NewEvent[]
        rule?: ApprovalRule
      }
    | { kind: 'reject'; settlement: Settlement }
}

/** What waits for people, what they said, and what of it holds for later calls. */
export interface ApprovalStore extends ApprovalRuleBook, ApprovalOutbox {
  find(tenant: string, id: string): Promise<Approval | undefined>
  /** With its call, as it would be run. */
  findWithCall(
    tenant: string,
    id: string,
  ): Promise<{ approval: Approval; call: StoredCall } | undefined>
  /** Newest first. */
  list(tenant: string, query: ApprovalQuery): Promise<Page<Approval>>
  /** In one transaction with what it does to the call: nobody ever sees half a decision. */
  decide(tenant: string, id: string, entry: DecisionEntry): Promise<DecisionResult>
  /** Ends a call that nobody decided on in time, with its approval. False when somebody was quicker. */
  expire(settlement: Settlement): Promise<boolean>
}
