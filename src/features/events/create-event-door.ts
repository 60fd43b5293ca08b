import type { CribEvent } from '../../core/events/event.ts'
import type { EventDoor } from '../../core/events/event-door.ts'
import type { EventFollower } from '../../core/events/event-follower.ts'
import { startOf } from './event-place.ts'
import { assertMayRead, changesFor, type EventParts, reachOf } from './event-reach.ts'

/** The default page size. */
const pageSize = 1000

/** Following the log of the caller's tenant. */
export function createEventDoor(parts: EventParts): EventDoor {
  const { feed } = parts
  return {
    async followEvents(caller, query) {
      // Checked only once, because a call never changes its owner.
      await assertMayRead(parts, caller, query.callId)
      const { last: _last, limit = pageSize, ...filters } = query
      const after = await startOf(parts, caller, query)
      const follower = feed.follow(caller.tenant, { ...filters, limit, after })
      return caller.agent === undefined ? follower : filtered(follower, reachOf(caller))
    },
    async followChanges(caller, query) {
      const after = await startOf(parts, caller, query)
      const follower = feed.follow(caller.tenant, { limit: pageSize, after })
      const mayKnow = changesFor(caller)
      return mayKnow === undefined ? follower : filtered(follower, mayKnow)
    },
  }
}

function filtered(follower: EventFollower, fits: (event: CribEvent) => boolean): EventFollower {
  return { ...follower, next: async (waitMs) => (await follower.next(waitMs)).filter(fits) }
}
