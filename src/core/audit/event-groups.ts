import { eventTypes } from '../events/event.ts'
import type { EventType } from '../events/event.ts'

/** What an auditor asks for by one word: the types of events that begin so. */
const prefixes = {
  calls: ['call.', 'completion.', 'group.', 'upload.'],
  approvals: ['approval.'],
  people: ['member.'],
  keys: ['key.'],
  secrets: ['secret.', 'keyring.'],
  policy: ['policy.', 'grant.', 'limit.', 'session.'],
  agents: ['agent.', 'skill.', 'turn.', 'conversation.'],
  tools: ['tool.', 'mcp.'],
  tenants: ['tenant.'],
  schedules: ['schedule.'],
  audit: ['audit.', 'backup.'],
} as const satisfies Record<string, readonly string[]>

export type EventGroup = keyof typeof prefixes

export const eventGroups = Object.keys(prefixes) as [EventGroup, ...EventGroup[]]

/** The types that these groups and types stand for. Unknown words stand for nothing. */
export function toEventTypes(words: readonly string[]): EventType[] {
  return eventTypes.filter((type) =>
    words.some((word) => word === type || isInGroup(type, word as EventGroup)),
  )
}

function isInGroup(type: EventType, group: EventGroup): boolean {
  return Object.hasOwn(prefixes, group) && prefixes[group].some((prefix) => type.startsWith(prefix))
}

/** Prefixes of what is never written into the record of a call. */
const outsideCalls = [
  ...prefixes.people,
  ...prefixes.keys,
  ...prefixes.secrets,
  ...prefixes.agents,
  ...prefixes.tools,
  ...prefixes.tenants,
  ...prefixes.schedules,
  ...prefixes.audit,
  'policy.',
  'grant.',
  'upload.',
]

/** All of these are told outside of calls: whoever looks for them need not look through calls. */
export function areOutsideCalls(types: readonly EventType[]): boolean {
  return types.every((type) => outsideCalls.some((prefix) => type.startsWith(prefix)))
}
