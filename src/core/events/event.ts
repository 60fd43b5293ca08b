import type { Principal } from '../call.ts'
import type { JsonValue } from '../tool.ts'

/** Every type of event there is. Append only: a published type never changes its meaning. */
export const eventTypes = [
  'call.requested',
  'call.queued',
  'call.started',
  'call.output',
  'call.waiting',
  'call.completed',
  'call.failed',
  'call.denied',
  'call.cancelled',
  'tool.registered',
  'tool.changed',
  'tool.removed',
  'tool.quarantined',
  'secret.written',
  'secret.deleted',
  'key.created',
  'key.revoked',
  'policy.changed',
] as const

export type EventType = (typeof eventTypes)[number]

/** An event before the store has numbered it. */
export interface NewEvent {
  type: EventType
  /** Milliseconds since the epoch. */
  at: number
  data: JsonValue
}

/** One thing that happened. `id` is an opaque cursor to read on from, `seq` the number within its call, from 1, without gaps. */
export interface CribEvent {
  id: string
  seq: number
  at: string
  tenant: string
  callId?: string
  sessionId?: string
  agent?: string
  principal: Principal
  type: EventType
  data: JsonValue
}
