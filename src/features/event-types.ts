import type { EventGroup, PayloadsOf } from '../core/events/define-events.ts'
import { eventGroups } from '../core/events/define-events.ts'
import type { EventType } from '../core/events/event.ts'
import { callEvents } from './calls/events.ts'
import { approvalEvents } from './approvals/events.ts'
import { toolEvents } from './tools/events.ts'
import { mcpServerEvents } from './mcp-servers/events.ts'
import { secretEvents } from './secrets/events.ts'
import { keyEvents } from './keys/events.ts'
import { policyEvents } from './policies/events.ts'
import { agentEvents } from './agents/events.ts'
import { skillEvents } from './skills/events.ts'
import { conversationEvents } from './conversations/events.ts'
import { tenantEvents } from './tenants/events.ts'
import { memberEvents } from './people/events.ts'
import { limitEvents } from './limits/events.ts'
import { sessionEvents } from './data-flow/events.ts'
import { scheduleEvents } from './schedules/events.ts'
import { uploadEvents } from './uploads/events.ts'
import { auditEvents } from './audit/events.ts'
import { backupEvents } from './backup/events.ts'

// The events of all features. It knows nobody, so that every layer can read it. A new type is one entry in
// the `events.ts` of its feature; only a feature with its first event is added here.

/** Every type of event there is. A published type never changes its meaning. */
export const eventDefinitions = {
  ...callEvents,
  ...approvalEvents,
  ...toolEvents,
  ...mcpServerEvents,
  ...secretEvents,
  ...keyEvents,
  ...policyEvents,
  ...agentEvents,
  ...skillEvents,
  ...conversationEvents,
  ...tenantEvents,
  ...memberEvents,
  ...limitEvents,
  ...sessionEvents,
  ...scheduleEvents,
  ...uploadEvents,
  ...auditEvents,
  ...backupEvents,
}

/** What each type of event holds. */
export type Payloads = PayloadsOf<typeof eventDefinitions>

declare module '../core/events/event.ts' {
  interface EventPayloads extends Payloads {}
}

export const eventTypes = Object.keys(eventDefinitions) as [EventType, ...EventType[]]

/** The types that these groups and types stand for. Unknown words stand for nothing. */
export function toEventTypes(words: readonly string[]): EventType[] {
  const groups = eventGroups.filter((group) => words.includes(group))
  return eventTypes.filter((type) => words.includes(type) || groups.includes(groupOf(type)))
}

function groupOf(type: EventType): EventGroup {
  return eventDefinitions[type].group
}

/** All of these are written outside of calls: whoever looks for them need not look through calls. */
export function areOutsideCalls(types: readonly EventType[]): boolean {
  return types.every((type) => !eventDefinitions[type].inCall)
}
