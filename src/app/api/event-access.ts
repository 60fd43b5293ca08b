import type { Caller } from '../../core/call.ts'
import type { CribApi } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import type { CribEvent } from '../../core/events/event.ts'
import type { EventFeed } from '../../core/events/event-feed.ts'
import type { Store } from '../../core/ports.ts'
import { holds } from './permissions.ts'

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
    const isOwn =
      call?.principal.kind === caller.principal.kind && call.principal.id === caller.principal.id
    if (!isOwn)
      throw new ToolError('not_found', `There is no call ${JSON.stringify(callId.slice(0, 100))}`, {
        fix: 'toolcrib calls lists them.',
      })
  }
  return {
    async readEvents(caller, query) {
      await checkOwn(caller, query.callId)
      return events.read(caller.tenant, query)
    },
    endOfEvents: (caller, back) => events.end(caller.tenant, back),
    async followEvents(caller, query) {
      // Once is enough: a call never changes hands.
      await checkOwn(caller, query.callId)
      return feed.follow(caller.tenant, query)
    },
    async followChanges(caller, query) {
      const follower = feed.follow(caller.tenant, query)
      if (holds(caller, 'audit.read')) return follower
      const mayKnow = toMayKnow(caller)
      return {
        ...follower,
        next: async (waitMs) => (await follower.next(waitMs)).filter(mayKnow),
      }
    },
    watchEvents: (listener) => events.watch(listener),
  }
}

/** Which changes a caller without `audit.read` hears of: its own, what it sees anyway, and what it is asked to decide. */
function toMayKnow(caller: Caller): (event: CribEvent) => boolean {
  const { kind, id } = caller.principal
  const mayDecide = holds(caller, 'approvals.decide')
  return ({ type, principal }) =>
    (principal.kind === kind && principal.id === id) ||
    /^(?:tool|skill)\./.test(type) ||
    (mayDecide && type.startsWith('approval.'))
}
