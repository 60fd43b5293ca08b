import type { CallResult } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/tool.ts'

/** The results of a group's members, in the order in which the calls were made. */
export interface GroupResults {
  results: readonly CallResult[]
  /** How many of them failed, were denied or cancelled. */
  failed: number
}

/** The argument of a continuation. */
export interface ContinuedGroup extends GroupResults {
  tenant: string
  groupId: string
  /** As passed when the group was created. */
  data: JsonValue
  /** From 1; higher if an earlier attempt did not finish, although it may have done its work. */
  attempt: number
  /** Aborted when the node stops, or has lost the group to another node. */
  signal: AbortSignal
}

/** Runs when a group is complete. */
export type Continue = (group: ContinuedGroup) => Promise<void> | void
