import type { Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/tool.ts'

/**
 * The payload of each event type. Empty here: `features/declarations.ts` adds those of the
 * features.
 */
export interface EventPayloads {}

/** All event types. */
export type EventType = keyof EventPayloads

/** An event that the store has not numbered yet. */
export interface NewEvent {
  type: EventType
  /** Milliseconds since the epoch. */
  at: number
  data: JsonValue
}

/** Events that are written to the log in the same transaction as a change. */
export interface ToldEvent {
  principal: Principal
  event: NewEvent
}

/**
 * One event. `id` is an opaque cursor to continue from, `seq` the number within its call, from 1,
 * without gaps.
 */
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
