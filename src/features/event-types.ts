import type { EventType } from '../core/events/event.ts'
import { eventDefinitions } from './declarations.ts'

export const eventTypes = Object.keys(eventDefinitions) as [EventType, ...EventType[]]

/** What an auditor asks for by one word. */
export const eventGroups: readonly string[] = [
  ...new Set(Object.values(eventDefinitions).map(({ group }) => group)),
]

/** The types that these groups and types stand for. Unknown words stand for nothing. */
export function toEventTypes(words: readonly string[]): EventType[] {
  return eventTypes.filter(
    (type) => words.includes(type) || words.includes(eventDefinitions[type].group),
  )
}

/** All of these are written outside of calls: whoever looks for them need not look through calls. */
export function areOutsideCalls(types: readonly EventType[]): boolean {
  return types.every((type) => !eventDefinitions[type].inCall)
}
