import type { Principal } from '../kernel/call.ts'
import type { CribEvent, EventType, NewEvent } from './event.ts'

export interface EventQuery {
  /** Continue after this event id. */
  after?: string
  types?: readonly EventType[]
  callId?: string
  sessionId?: string
  limit: number
  /**
   * The approximate size of a page; the first event is always included. By default, and at most, a
   * megabyte.
   */
  maxBytes?: number
}

/**
 * A page of events. `next` is always present: the cursor to continue from, even when there are no
 * new events.
 */
export interface EventPage {
  items: CribEvent[]
  next: string
  /** More events existed when the page was read. */
  hasMore: boolean
}

/** The event log. A reader with a cursor never misses an event, in any order of commits. */
export interface EventLog {
  /**
   * Records events that belong to no call (`tool.registered`, `secret.written`, …). Durable when it
   * resolves.
   */
  record(entries: readonly LooseEvents[]): Promise<void>
  read(tenant: string, query: EventQuery): Promise<EventPage>
  /** The events that were recorded under this id (`LooseEvents.id`); none for another tenant's. */
  find(tenant: string, id: string): Promise<CribEvent[]>
  /**
   * The cursor after the newest event, for readers that want only new events. With `back`, far
   * enough before the end that at least that many events follow, if they exist.
   */
  end(tenant: string, back?: number): Promise<string>
  /** Orders two cursors: below, above or exactly 0. Throws invalid_request for an invalid one. */
  compare(left: string, right: string): number
  /**
   * Called when there may be new events to read, without details. Returns a function that
   * unsubscribes.
   */
  watch(listener: () => void): () => void
}

/** Events outside of calls. */
export interface LooseEvents {
  /** Identifies the entry, so that it can be found again: the 32 hex digits of a new UUIDv7. */
  id?: string
  tenant: string
  principal: Principal
  sessionId?: string
  agent?: string
  events: readonly NewEvent[]
}
