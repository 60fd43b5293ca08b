import type { CallRecord, CallResult } from '../../../core/kernel/call.ts'
import type { CallRequest } from '../../../core/kernel/call-request.ts'
import type { ScheduleStore } from '../schedule-store.ts'
import type { InputSeal } from '../../../core/secrets/input-seal.ts'

/** The dependencies for running schedules. */
export interface SchedulePorts {
  schedules: ScheduleStore
  inputs: InputSeal
  /** Through the ordinary pipeline, with its decision. Never rejects. */
  call(request: CallRequest): Promise<CallResult>
  findCall(tenant: string, callId: string): Promise<CallRecord | undefined>
  now(): number
  /** From 0 up to 1. */
  random(): number
  onWarning(message: string): void
}

/**
 * How long a run is leased to one node: enough to make a call. If the node dies in between, the
 * next one makes the call again under the same key, so there is only one call.
 */
export const leaseMs = 30_000
