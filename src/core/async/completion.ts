import type { JsonValue } from '../kernel/tool.ts'

/** What a worker outside says about the call it was given. */
export type CompletionReport =
  | { status: 'completed'; response: JsonValue }
  | { status: 'completed'; file: { bytes: Uint8Array; mediaType: string } }
  /** A code is for work that was done in the crib: nobody outside can say one. */
  | { status: 'failed'; error: string; code?: 'timeout' }

/** The answer to a completion. Without a group nothing is pending and nothing continues. */
export interface CompletionReceipt {
  accepted: true
  /** How many of the call's group have not settled yet. */
  pending: number
  /** This call was the last of its group: what waits for the group goes on. */
  continued: boolean
}
