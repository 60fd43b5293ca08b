import type { CallError, WaitingFor } from '../kernel/call.ts'
import type { ArtifactReference } from '../kernel/artifact-reference.ts'
import type { JsonValue } from '../kernel/json.ts'

/** The fields of every result. */
interface AnyResult {
  /** Warnings that did not stop the call. */
  warnings?: readonly string[]
}

/** A call that has completed. */
export interface CompletedResult<Output = JsonValue> extends AnyResult {
  status: 'completed'
  callId: string
  /** The tool's output. With `artifact` it was too long, and this is a preview. */
  output: Output
  /** The full output, if it was longer than the tool's `maxOutputBytes`. */
  artifact?: ArtifactReference
  error?: undefined
  waitingFor?: undefined
  approvalId?: string
}

/** A call that has ended without output. */
export interface FailedResult extends AnyResult {
  status: 'failed' | 'denied' | 'cancelled'
  /**
   * Absent if the request was refused before a call existed: unknown tool, invalid input, limits.
   */
  callId?: string
  /** The error, and how to fix it. */
  error: CallError
  output?: undefined
  artifact?: undefined
  waitingFor?: undefined
  approvalId?: string
}

/** A call that runs after its answer. */
export interface PendingResult extends AnyResult {
  status: 'queued' | 'running'
  callId: string
  output?: undefined
  error?: undefined
  artifact?: undefined
  waitingFor?: undefined
  approvalId?: string
}

/** A call that waits. */
export interface WaitingResult extends AnyResult {
  status: 'waiting'
  callId: string
  /** The reason it waits: a person, an external worker, or a call it made that waits itself. */
  waitingFor?: WaitingFor
  /** The approval to decide, if a person must approve. */
  approvalId?: string
  output?: undefined
  error?: undefined
  artifact?: undefined
}

/**
 * The state of a call at the time of the answer. Check `status` first: `completed` has `output`;
 * `failed`, `denied` and `cancelled` have `error`; the others have a `callId` for later.
 */
export type TypedCallResult<Output = JsonValue> =
  | CompletedResult<Output>
  | FailedResult
  | PendingResult
  | WaitingResult
