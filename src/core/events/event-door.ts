import type { Caller } from '../kernel/call.ts'
import type { EventFollower } from './event-follower.ts'
import type { EventQuery } from './event-log.ts'

/**
 * Where reading starts: after an event, after the newest (`after: 'now'`), or with the newest
 * events.
 */
export interface EventStart extends Partial<EventQuery> {
  /** Not with `after`, `callId` or `sessionId`. */
  last?: number | undefined
}

/** Following the event log, for doors that stream it. Close a follower when it is not needed any more. */
export interface EventDoor {
  /** The events that the caller may read. */
  followEvents(caller: Caller, query: EventStart): Promise<EventFollower>
  /** The events that the caller may hear of, though perhaps not what is in them. */
  followChanges(caller: Caller, query: Pick<EventStart, 'after'>): Promise<EventFollower>
}
