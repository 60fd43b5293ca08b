import type { JsonValue } from '../kernel/tool.ts'

/** The continuation of a group: a kind that nodes have registered, and its data. */
export interface Continuation {
  kind: string
  data: JsonValue
}

/** Calls whose results are awaited together. */
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
  /** The call that settled it; absent if it was sealed after the last call had ended. */
  settledBy?: string
  continuedAt?: number
  /** How often a continuation was started. */
  attempt: number
}
