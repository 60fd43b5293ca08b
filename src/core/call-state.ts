import type { CallStatus, SettledStatus } from './kernel/call.ts'
import type { EventType } from './events/event.ts'

/**
 * From where to where a call may move. `running → queued` is a retry or a recovery after a crash,
 * `waiting → completed` an outside worker that finished. A settled status leads nowhere.
 */
export const callMoves = {
  queued: ['running', 'failed', 'denied', 'cancelled'],
  running: ['waiting', 'queued', 'completed', 'failed', 'cancelled'],
  waiting: ['running', 'queued', 'completed', 'failed', 'denied', 'cancelled'],
  completed: [],
  failed: [],
  denied: [],
  cancelled: [],
} as const satisfies Record<CallStatus, readonly CallStatus[]>

/** Where a call may stand. */
export const callStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'denied',
  'cancelled',
] as const satisfies readonly CallStatus[]

/** The event that tells of a call's arrival in a status. */
export const statusEvents = {
  queued: 'call.queued',
  running: 'call.started',
  waiting: 'call.waiting',
  completed: 'call.completed',
  failed: 'call.failed',
  denied: 'call.denied',
  cancelled: 'call.cancelled',
} as const satisfies Record<CallStatus, EventType>

/** True when nothing can happen to the call any more. */
export function isSettled(status: CallStatus): status is SettledStatus {
  return status !== 'queued' && status !== 'running' && status !== 'waiting'
}

/** May a call in `from` be put into `to`? Staying where it is is not a move. */
export function mayMove(from: CallStatus, to: CallStatus): boolean {
  const targets: readonly CallStatus[] = callMoves[from]
  return targets.includes(to)
}
