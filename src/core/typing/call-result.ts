import type { ArtifactReference, CallError, WaitingFor } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'

/** What the results of all calls have. */
interface AnyResult {
  /** Remarks that did not keep the call from going on. */
  warnings?: readonly string[]
}

/** A call that has done its work. */
export interface CompletedResult<Output = JsonValue> extends AnyResult {
  status: 'completed'
  callId: string
  /** What the tool answered. With `artifact` it was too long, and a preview of it stands here. */
  output: Output
  /** The whole output, where it was longer than the tool's `maxOutputBytes`. */
  artifact?: ArtifactReference
  error?: undefined
  waitingFor?: undefined
  approvalId?: string
}

/** A call that has ended without its output. */
export interface FailedResult extends AnyResult {
  status: 'failed' | 'denied' | 'cancelled'
  /** Absent where the request was refused before there was a call: unknown tool, invalid input, limits. */
  callId?: string
  /** What went wrong, and what to do about it. */
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

/** A call that waits for somebody. */
export interface WaitingResult extends AnyResult {
  status: 'waiting'
  callId: string
  /** For whom: a person, a worker outside, or a call it made that waits itself. */
  waitingFor?: WaitingFor
  /** The approval to decide on, where a person is asked. */
  approvalId?: string
  output?: undefined
  error?: undefined
  artifact?: undefined
}

/**
 * How a call stands when it is answered. Look at `status` first: `completed` has `output`; `failed`,
 * `denied` and `cancelled` have `error`; the others have a `callId` to come back with.
 */
export type TypedCallResult<Output = JsonValue> =
  | CompletedResult<Output>
  | FailedResult
  | PendingResult
  | WaitingResult
