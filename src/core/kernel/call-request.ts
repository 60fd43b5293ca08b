import type { Caller, Progress } from './call.ts'
import type { CallerClient } from './context/caller-client.ts'
import type { JsonValue } from './tool.ts'

/** What a tool reports while it runs, as the direct caller gets it. */
export type CallOutput = { partial: JsonValue } | { progress: Progress }

/** One request to use a tool. */
export interface CallRequest {
  /** Canonical or wire name. */
  tool: string
  input: unknown
  caller: Caller
  idempotencyKey?: string
  /** Clamped to the tool's own timeout. */
  timeoutMs?: number
  /** Answer as soon as the call is stored, run it after (`Prefer: respond-async`). */
  respondAsync?: boolean
  /** Queued calls with a higher one go first: -10 to 10, 0 unless said. Implies `respondAsync`. */
  priority?: number
  /** Not before this time, in milliseconds since the epoch by the clock of this process. Implies `respondAsync`. */
  startAt?: number
  /** Wait up to so long for a call that is queued, runs elsewhere or waits for somebody. */
  waitMs?: number
  /** The group whose continuation waits for this call. */
  groupId?: string
  /** Resolve only when the record of a read is on disk too. Calls with an effect always wait. */
  durable?: boolean
  /** Aborting cancels the call. */
  signal?: AbortSignal
  /** Partial output and progress, as they come; never after the result. */
  onOutput?: (output: CallOutput) => void
  /** Who can be asked something while it runs. Calls that run after their answer have nobody. */
  client?: CallerClient
  /** Told the id once the call exists. */
  onCall?: (callId: string) => void
}
