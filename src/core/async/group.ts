import type { JsonValue } from '../kernel/tool.ts'

/** What goes on when a group is complete: a kind that nodes know, and what it needs to know itself. */
export interface Continuation {
  kind: string
  data: JsonValue
}

/** Calls that something waits for together. */
export interface GroupRecord {
  groupId: string
  tenant: string
  continuation: Continuation
  isSealed: boolean
  members: number
  /** Members that have not settled. */
  pending: number
  /** Members that have settled, but not completed. */
  failed: number
  deadlineAt?: number
  settledAt?: number
  /** The call whose end settled it; absent where it was sealed after the last end. */
  settledBy?: string
  continuedAt?: number
  /** How often somebody began to continue it. */
  attempt: number
}
