import type { CallLog } from '../../core/call-log.ts'
import type { CribEvent } from '../../core/events/event.ts'
import type { EventFeed } from '../../core/events/event-feed.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isInReach } from '../../core/operations/agent-reach.ts'
import { holds } from '../../core/operations/require-permission.ts'

/** The dependencies of reading and following events. */
export interface EventParts {
  calls: Pick<CallLog, 'find'>
  events: Pick<EventLog, 'read' | 'end'>
  /** The log, read once for all its followers. */
  feed: EventFeed
}

/** Without `audit.read` a caller may read only the events of its own calls, one call at a time. */
export async function assertMayRead(
  { calls }: Pick<EventParts, 'calls'>,
  caller: Caller,
  callId: string | undefined,
): Promise<void> {
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

/** A caller that is bound to an agent reads the events of that agent. */
export function reachOf(caller: Caller): (event: CribEvent) => boolean {
  if (caller.agent === undefined) return () => true
  return (event) => isInReach(caller, event)
}

/**
 * The changes that a caller hears of, if not all. Without `audit.read`: its own, tools, skills, and
 * approvals it may decide. Bound to an agent: those of its agent.
 */
export function changesFor(caller: Caller): ((event: CribEvent) => boolean) | undefined {
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
