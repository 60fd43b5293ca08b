import type { Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/tool.ts'

/** What each type of event holds. Empty here: `features/declarations.ts` adds what features define. */
export interface EventPayloads {}

/** Every type of event there is. */
export type EventType = keyof EventPayloads

/** An event before the store has numbered it. */
export interface NewEvent {
  type: EventType
  /** Milliseconds since the epoch. */
  at: number
  data: JsonValue
}

/** What is written to the event log together with a change, or not at all. */
export interface ToldEvent {
  principal: Principal
  event: NewEvent
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
