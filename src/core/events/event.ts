import type { Principal } from '../kernel/call.ts'

/**
 * The payload of each event type. Empty here: `features/declarations.ts` adds those of the
 * features.
 */
export interface EventPayloads {}

/** All event types. */
export type EventType = keyof EventPayloads

/** A type with its payload; of all types by default, to be narrowed by `type`. */
export type EventFact<T extends EventType = EventType> = {
  [K in T]: { type: K; data: EventPayloads[K] }
}[T]

/** An event that the store has not numbered yet; `at` is milliseconds since the epoch. */
export type NewEvent<T extends EventType = EventType> = EventFact<T> & { at: number }

/** Events that are written to the log in the same transaction as a change. */
export interface EventEntry<T extends EventType = EventType> {
  principal: Principal
  /** Without `at`, it gets the time of the store. */
  event: EventFact<T> & { at?: number }
}

/**
 * An event without its payload. `id` is an opaque cursor to continue from, `seq` the number within
 * its call, from 1, without gaps.
 */
export interface EventFrame {
  id: string
  seq: number
  at: string
  tenant: string
  callId?: string
  sessionId?: string
  agent?: string
  principal: Principal
}

/** One event. Its payload is as this version writes it: one of an earlier version may lack fields. */
export type CribEvent<T extends EventType = EventType> = EventFrame & EventFact<T>
