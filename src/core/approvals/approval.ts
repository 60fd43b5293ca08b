import type { Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ApprovalPreview } from './approval-preview.ts'

export const approvalStatuses = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const

/** `cancelled`: its call ended in another way, so there is nothing left to decide. */
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** A person's pending or given decision on one call. */
export interface Approval {
  id: string
  tenant: string
  callId: string
  tool: string
  /** The input that the call will run with, without secrets. */
  input: JsonValue
  /** Incremented when someone edits the input: approvals of an earlier input do not count. */
  revision: number
  /** Every rule that requires an approval. */
  reasons: readonly string[]
  requestedBy: { principal: Principal; agent?: string }
  sessionId?: string
  status: ApprovalStatus
  createdAt: string
  expiresAt: string
  decidedAt?: string
  /** How many different people must approve. */
  needed: number
  /**
   * Only these may decide: `user:anna`, `key:…`, `permission:billing.approve`. Absent: everyone
   * with the permission.
   */
  approvers?: readonly string[]
  /** The requester may not decide on the call, and an editor of its input may not approve it. */
  isRequesterBarred: boolean
  /** Oldest first. */
  decisions: readonly ApprovalDecision[]
  /** For a tool that can show what the call would do. */
  preview?: ApprovalPreview
}

/** One person's decision. */
export interface ApprovalDecision {
  by: Principal
  /** For a key: the person who owns it. People are counted, not keys. */
  person?: Principal
  decision: 'approve' | 'reject'
  at: string
  reason?: string
  isEdited: boolean
  /** The revision of the input that was decided on. */
  revision: number
}

/** The terms under which a call waits for people, fixed when the wait starts. */
export type ApprovalTerms = Pick<Approval, 'needed' | 'approvers' | 'isRequesterBarred'> & {
  expiresInMs: number
}

/** How the input of later calls is compared with the approved one. */
export type RememberedInput =
  | { kind: 'same'; input: JsonValue }
  | { kind: 'pattern'; pattern: JsonValue }
  | { kind: 'any' }

/** An approval that applies to similar calls until it expires or is revoked. */
export interface ApprovalRule {
  id: string
  tenant: string
  tool: string
  /** Applies to calls of this agent; without an agent, to calls of the principal. */
  agent?: string
  principal?: Principal
  /** For a schedule: the principal who wrote it. */
  onBehalfOf?: Principal
  /** The approved reasons; a call that needs approval for any other reason is asked about again. */
  reasons: readonly string[]
  input: RememberedInput
  approvalId: string
  createdBy: Principal
  /** For a key: the person who owns it. */
  person?: Principal
  createdAt: string
  expiresAt: string
  revokedAt?: string
}

/** A person's decision as requested. */
export interface DecisionRequest {
  decision: 'approve' | 'reject'
  /** Run the call with this input instead. */
  input?: JsonValue
  reason?: string
  /** The revision that was reviewed; the decision is refused if the input has been edited since. */
  revision?: number
  remember?: RememberRequest
}

export interface RememberRequest {
  /** `2h`, `7d`; at most 30 days. */
  for: string
  /** The part of the input that must match, with `*` in texts; the whole input by default. */
  match?: 'same-input' | 'any-input' | { [field: string]: JsonValue }
}

/** An approval as first stored, together with the call that waits for it. */
export interface ApprovalStart extends Omit<ApprovalTerms, 'expiresInMs'> {
  id: string
  reasons: readonly string[]
  expiresAt: number
  /** An outside system must be notified of it. */
  isAnnounced: boolean
  preview?: ApprovalPreview | undefined
}

/** Selects approvals. */
export interface ApprovalQuery {
  status?: ApprovalStatus
  tool?: string
  /** Only those requested by this principal. */
  principal?: Principal
  /** Only calls of this agent. */
  agent?: string
  /** Default: `newest`. */
  order?: 'newest' | 'oldest'
  after?: string
  limit: number
}

/** The result of a decision. */
export type DecisionResult =
  | { kind: 'decided'; approval: Approval }
  | { kind: 'not_found' }
  /** Already decided, expired, or its call has ended. */
  | { kind: 'closed'; status: Exclude<ApprovalStatus, 'pending'> }
  /** The input has been edited since. */
  | { kind: 'edited' }
  /** The same person has already approved it. */
  | { kind: 'repeated' }
  /** There are already too many rules for this tool. */
  | { kind: 'too_many_rules' }

/** A pending notification about an approval. */
export interface OutboxMessage {
  tenant: string
  approvalId: string
  callId: string
  createdAt: number
  /** The number of attempts, including this one. */
  tries: number
}

/** Remembered approvals. */
export interface ApprovalRuleBook {
  /** Rules that are not revoked and are valid after `at`, for one tool or all, newest first. */
  listRules(tenant: string, query: { tool?: string; at: number }): Promise<ApprovalRule[]>
  /** Undefined when there is no such active rule. */
  revokeRule(tenant: string, id: string, at: number): Promise<ApprovalRule | undefined>
}

/** Notifications that are still to be sent. */
export interface ApprovalOutbox {
  /**
   * Claims up to `limit` due messages for this node for `leaseMs`; after that they are due again.
   */
  claimOutbox(limit: number, leaseMs: number): Promise<OutboxMessage[]>
  /** Delivered, or given up. */
  endOutboxMessage(notice: OutboxMessage): Promise<void>
  /** Retries it at that time. */
  delayOutboxMessage(notice: OutboxMessage, until: number): Promise<void>
}
