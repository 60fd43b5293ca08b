import type { CallStatus, SettledStatus } from './kernel/call.ts'
import type { EventType } from './events/event.ts'

/**
 * The allowed moves of a call. `running → queued` is a retry or a recovery after a crash, `queued →
 * waiting` an approval that is needed again, `waiting → completed` an external worker that finished.
 * A settled status is final.
 */
export const callMoves = {
  queued: ['running', 'waiting', 'failed', 'denied', 'cancelled'],
  running: ['waiting', 'queued', 'completed', 'failed', 'cancelled'],
  waiting: ['running', 'queued', 'completed', 'failed', 'denied', 'cancelled'],
  completed: [],
  failed: [],
  denied: [],
  cancelled: [],
} as const satisfies Record<CallStatus, readonly CallStatus[]>

/** The statuses of a call. */
export const callStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'denied',
  'cancelled',
] as const satisfies readonly CallStatus[]

/** The event of a call entering a status. */
export const statusEvents = {
  queued: 'call.queued',
  running: 'call.started',
  waiting: 'call.waiting',
  completed: 'call.completed',
  failed: 'call.failed',
  denied: 'call.denied',
  cancelled: 'call.cancelled',
} as const satisfies Record<CallStatus, EventType>

/** True when the call can no longer change. */
export function isSettled(status: CallStatus): status is SettledStatus {
  return status !== 'queued' && status !== 'running' && status !== 'waiting'
}

/** True if a call may move from `from` to `to`. Staying in a status is not a move. */
export function mayMove(from: CallStatus, to: CallStatus): boolean {
  const targets: readonly CallStatus[] = callMoves[from]
  return targets.includes(to)
}
