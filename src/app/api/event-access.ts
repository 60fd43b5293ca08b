import { isSamePrincipal } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { CribApi } from '../../features/crib-api.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { CribEvent } from '../../core/events/event.ts'
import type { EventFeed } from '../../core/events/event-feed.ts'
import type { EventFollower } from '../../core/events/event-follower.ts'
import type { Store } from '../../core/ports.ts'
import { isInReach } from '../../core/operations/agent-reach.ts'
import { holds } from '../../core/operations/require-permission.ts'

type EventAccess = Pick<
  CribApi,
  'readEvents' | 'endOfEvents' | 'followEvents' | 'followChanges' | 'watchEvents'
>

/** The event log of the caller's tenant. Without `audit.read`: the events of its own calls, call by call. */
export function createEventAccess(
  { calls, events }: Pick<Store, 'calls' | 'events'>,
  feed: EventFeed,
): EventAccess {
  async function checkOwn(caller: Caller, callId: string | undefined): Promise<void> {
    if (holds(caller, 'audit.read')) return
    if (callId === undefined) {
      throw new ToolError('forbidden', 'Reading the whole log needs the permission audit.read', {
        fix: 'Name one of your calls with callId, or use a key with the scope audit.read.',
      })
    }
    const call = await calls.find(caller.tenant, callId)
    const isOwn = call !== undefined && isSamePrincipal(call.principal, caller.principal)
    if (!isOwn || !isInReach(caller, call))
      throw new ToolError('not_found', `There is no call ${JSON.stringify(callId.slice(0, 100))}`, {
        fix: 'toolcrib calls lists them.',
      })
  }
  return {
    async readEvents(caller, query) {
      await checkOwn(caller, query.callId)
      const page = await events.read(caller.tenant, query)
      if (caller.agent === undefined) return page
      return { ...page, items: page.items.filter((event) => isInReach(caller, event)) }
    },
    endOfEvents: (caller, back) => events.end(caller.tenant, back),
    async followEvents(caller, query) {
      // Once is enough: a call never changes hands.
      await checkOwn(caller, query.callId)
      const follower = feed.follow(caller.tenant, query)
      if (caller.agent === undefined) return follower
      return filtered(follower, (event) => isInReach(caller, event))
    },
    async followChanges(caller, query) {
      const follower = feed.follow(caller.tenant, query)
      const mayKnow = toMayKnow(caller)
      return mayKnow === undefined ? follower : filtered(follower, mayKnow)
    },
    watchEvents: (listener) => events.watch(listener),
  }
}

function filtered(follower: EventFollower, fits: (event: CribEvent) => boolean): EventFollower {
  return { ...follower, next: async (waitMs) => (await follower.next(waitMs)).filter(fits) }
}

/**
 * Which changes a caller hears of, where not of all: without `audit.read` its own, what it sees anyway
 * and what it is asked to decide; bound to an agent, those of its agent.
 */
function toMayKnow(caller: Caller): ((event: CribEvent) => boolean) | undefined {
  const mayReadAll = holds(caller, 'audit.read')
  if (mayReadAll && caller.agent === undefined) return undefined
  const mayDecide = holds(caller, 'approvals.decide')
  const mayRead = ({ type, principal }: CribEvent) =>
    mayReadAll ||
    isSamePrincipal(principal, caller.principal) ||
    (mayDecide && type.startsWith('approval.'))
  return (event) =>
    /^(?:tool|skill)\./.test(event.type) || (mayRead(event) && isInReach(caller, event))
}
