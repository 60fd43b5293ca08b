import type { Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'

export const approvalStatuses = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const

/** `cancelled`: its call ended in another way, so that there is nothing left to decide. */
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** A person's pending or given decision on one call. */
export interface Approval {
  id: string
  tenant: string
  callId: string
  tool: string
  /** What the call will run with; secrets are taken out. */
  input: JsonValue
  /** Counts up when somebody edits the input: a yes to another input does not count. */
  revision: number
  /** Every rule that wants a person asked. */
  reasons: readonly string[]
  requestedBy: { principal: Principal; agent?: string }
  sessionId?: string
  status: ApprovalStatus
  createdAt: string
  expiresAt: string
  decidedAt?: string
  /** How many different people must say yes. */
  needed: number
  /** Only these may decide: `user:anna`, `key:…`, `permission:billing.approve`. Absent: whoever may decide at all. */
  approvers?: readonly string[]
  /** Whoever asked for the call may not decide on it, nor whoever edited its input approve that. */
  isRequesterBarred: boolean
  /** Oldest first. */
  decisions: readonly ApprovalDecision[]
}

/** What one person said. */
export interface ApprovalDecision {
  by: Principal
  /** Whose key that is, where it is one: people are counted, not keys. */
  person?: Principal
  decision: 'approve' | 'reject'
  at: string
  reason?: string
  isEdited: boolean
  /** Of the input that was decided on. */
  revision: number
}

/** The terms on which a call waits for people, fixed when it begins to. */
export type ApprovalTerms = Pick<Approval, 'needed' | 'approvers' | 'isRequesterBarred'> & {
  expiresInMs: number
}

/** How the input of later calls is compared with what was said yes to. */
export type RememberedInput =
  | { kind: 'same'; input: JsonValue }
  | { kind: 'pattern'; pattern: JsonValue }
  | { kind: 'any' }

/** A yes that holds for like calls until it expires or is revoked. */
export interface ApprovalRule {
  id: string
  tenant: string
  tool: string
  /** For calls of this agent; of a call without one, for calls of its principal. */
  agent?: string
  principal?: Principal
  /** Where the principal is a schedule: who had written what it does. */
  onBehalfOf?: Principal
  /** The reasons to ask that were said yes to; a call that is asked about for any other is asked about again. */
  reasons: readonly string[]
  input: RememberedInput
  approvalId: string
  createdBy: Principal
  /** Whose key that is, where it is one. */
  person?: Principal
  createdAt: string
  expiresAt: string
  revokedAt?: string
}

/** What a person answers. */
export interface DecisionRequest {
  decision: 'approve' | 'reject'
  /** Run the call with this instead. */
  input?: JsonValue
  reason?: string
  /** The input that was looked at; the decision is refused when it has been edited since. */
  revision?: number
  remember?: RememberRequest
}

export interface RememberRequest {
  /** `2h`, `7d`; at most 30 days. */
  for: string
  /** A part of the input that must be the same, with `*` in texts; the whole input unless said. */
  match?: 'same-input' | 'any-input' | { [field: string]: JsonValue }
}

/** An approval as it is first written, with the call that waits for it. */
export interface ApprovalStart extends Omit<ApprovalTerms, 'expiresInMs'> {
  id: string
  reasons: readonly string[]
  expiresAt: number
  /** Somebody outside is to be told of it. */
  isAnnounced: boolean
}

/** Which approvals. */
export interface ApprovalQuery {
  status?: ApprovalStatus
  tool?: string
  /** Only what this principal asked for. */
  principal?: Principal
  /** Only calls of this agent. */
  agent?: string
  /** `newest` unless said. */
  order?: 'newest' | 'oldest'
  after?: string
  limit: number
}

/** What became of a decision. */
export type DecisionResult =
  | { kind: 'decided'; approval: Approval }
  | { kind: 'not_found' }
  /** Decided before, expired, or its call has ended. */
  | { kind: 'closed'; status: Exclude<ApprovalStatus, 'pending'> }
  /** The input has been edited since. */
  | { kind: 'edited' }
  /** The same person said yes to it before. */
  | { kind: 'repeated' }
  /** There are too many rules for this tool already. */
  | { kind: 'too_many_rules' }

/** Somebody outside has to be told of this approval. */
export interface OutboxMessage {
  tenant: string
  approvalId: string
  callId: string
  createdAt: number
  /** How often it was tried, this time included. */
  tries: number
}

/** What was said yes to for later. */
export interface ApprovalRuleBook {
  /** Rules that are not revoked and hold later than `at`, of one tool or of all, newest first. */
  listRules(tenant: string, query: { tool?: string; at: number }): Promise<ApprovalRule[]>
  /** False when there is no such rule that holds. */
  revokeRule(tenant: string, id: string, at: number): Promise<ApprovalRule | undefined>
}

/** Who has still to be told. */
export interface ApprovalOutbox {
  /** Up to `limit` notices that are due, this node's for `leaseMs`; then they are due again. */
  claimOutbox(limit: number, leaseMs: number): Promise<OutboxMessage[]>
  /** Told, or given up. */
  endOutboxMessage(notice: OutboxMessage): Promise<void>
  /** To be tried again at that time. */
  delayOutboxMessage(notice: OutboxMessage, until: number): Promise<void>
}
