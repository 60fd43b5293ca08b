import type { Principal } from '../kernel/call.ts'
import type { CribEvent, EventType, NewEvent } from './event.ts'

export interface EventQuery {
  /** Read on after this event id. */
  after?: string
  types?: readonly EventType[]
  callId?: string
  sessionId?: string
  limit: number
  /** A page ends early when its events weigh about so much; the first is always in it. A megabyte unless said, and at most. */
  maxBytes?: number
}

/** A page of events. `next` is always there: the cursor to read on from, also when nothing is new yet. */
export interface EventPage {
  items: CribEvent[]
  next: string
  /** More was there when the page was read. */
  hasMore: boolean
}

/** The event log. A reader with a cursor never misses an event, whoever commits when. */
export interface EventLog {
  /** Events that belong to no call (`tool.registered`, `secret.written`, …). Durable when it resolves. */
  record(entries: readonly LooseEvents[]): Promise<void>
  read(tenant: string, query: EventQuery): Promise<EventPage>
  /** The events that were recorded under this id (`LooseEvents.id`); none for another tenant's. */
  find(tenant: string, id: string): Promise<CribEvent[]>
  /**
   * The cursor after the newest event: where somebody starts who wants only what comes. With `back`,
   * so far before it that at least so many events follow, if there are.
   */
  end(tenant: string, back?: number): Promise<string>
  /** Which of two cursors comes first: below, above or exactly 0. Throws invalid_request for what is none. */
  compare(left: string, right: string): number
  /** Told that there may be something new to read; says nothing about what. Returns the way to stop. */
  watch(listener: () => void): () => void
}

/** Events outside of calls. */
export interface LooseEvents {
  /** Names the entry, so that it can be found again: the 32 hex digits of a fresh UUIDv7. */
  id?: string
  tenant: string
  principal: Principal
  sessionId?: string
  agent?: string
  events: readonly NewEvent[]
}
