import type { EventType } from '../core/events/event.ts'
import { eventDefinitions } from './declarations.ts'

export const eventTypes = Object.keys(eventDefinitions) as [EventType, ...EventType[]]

/** The groups that auditors filter by. */
export const eventGroups: readonly string[] = [
  ...new Set(Object.values(eventDefinitions).map(({ group }) => group)),
]

/** The event types that these groups and types include. Unknown words are ignored. */
export function toEventTypes(words: readonly string[]): EventType[] {
  return eventTypes.filter(
    (type) => words.includes(type) || words.includes(eventDefinitions[type].group),
  )
}

/**
 * True if all of these are written outside of calls: a search for them can skip the events of
 * calls.
 */
export function areOutsideCalls(types: readonly EventType[]): boolean {
  return types.every((type) => !eventDefinitions[type].inCall)
}
