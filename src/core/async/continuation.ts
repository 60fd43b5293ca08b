import type { CallResult } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/tool.ts'

/** How the members of a group ended, in the order in which the calls were made. */
export interface GroupResults {
  results: readonly CallResult[]
  /** How many of them did not complete: failed, denied or cancelled. */
  failed: number
}

/** What a continuation gets. */
export interface ContinuedGroup extends GroupResults {
  tenant: string
  groupId: string
  /** As it was given when the group was made. */
  data: JsonValue
  /** From 1; higher when an earlier attempt did not come to its end, which may have done its work. */
  attempt: number
  /** Aborted when the node stops, or has lost the group to another. */
  signal: AbortSignal
}

/** What goes on with a group that is complete. */
export type Continue = (group: ContinuedGroup) => Promise<void> | void
