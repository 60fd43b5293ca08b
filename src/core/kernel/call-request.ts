import type { Caller, Progress } from './call.ts'
import type { CallerClient } from './context/caller-client.ts'
import type { JsonValue } from './tool.ts'

/** Output and progress that a running tool reports to its direct caller. */
export type CallOutput = { partial: JsonValue } | { progress: Progress }

/** A request to call a tool. */
export interface CallRequest {
  /** Canonical or wire name. */
  tool: string
  input: unknown
  caller: Caller
  idempotencyKey?: string
  /** Capped at the tool's own timeout. */
  timeoutMs?: number
  /** Answer as soon as the call is stored, and run it afterwards (`Prefer: respond-async`). */
  respondAsync?: boolean
  /**
   * Queued calls with a higher priority run first: -10 to 10, 0 by default. Implies `respondAsync`.
   */
  priority?: number
  /**
   * The earliest start, in milliseconds since the epoch by the clock of this process. Implies
   * `respondAsync`.
   */
  startAt?: number
  /** How long to wait for a call that is queued, runs on another node or waits for someone. */
  waitMs?: number
  /** The group that continues when this call has settled. */
  groupId?: string
  /**
   * Resolve only once the record of a read is on disk too. Calls with an effect always wait for
   * that.
   */
  durable?: boolean
  /** Aborting cancels the call. */
  signal?: AbortSignal
  /** Partial output and progress as they arrive; never after the result. */
  onOutput?: (output: CallOutput) => void
  /** The client that can be asked questions while the call runs. Background calls have none. */
  client?: CallerClient
  /** Called with the id once the call exists. */
  onCall?: (callId: string) => void
}
