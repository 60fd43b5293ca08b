import type { Progress } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/tool.ts'

/** The report of an external worker about its call. */
export type CompletionReport =
  | { status: 'completed'; response: JsonValue }
  | { status: 'completed'; file: { bytes: Uint8Array; mediaType: string } }
  /** A code is for work done inside the server: external workers cannot set one. */
  | { status: 'failed'; error: string; code?: 'timeout' }

/** The answer to a completion. Without a group nothing is pending and nothing continues. */
export interface CompletionReceipt {
  accepted: true
  /** How many calls of the group have not settled yet. */
  pending: number
  /** This call was the last of its group, so the group's continuation starts. */
  continued: boolean
}

/** For external workers: the token of a call stands in for a caller. */
export interface CompletionDoor {
  /**
   * Ends a call from outside. Unknown ids and wrong tokens are not_found. The report is read after
   * that check.
   */
  complete(
    callId: string,
    token: string,
    read: () => Promise<CompletionReport>,
  ): Promise<CompletionReceipt>
  /** Progress of the call; on already_settled the worker should stop. */
  reportProgress(callId: string, token: string, read: () => Promise<Progress>): Promise<void>
}
