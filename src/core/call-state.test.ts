import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallStatus } from './kernel/call.ts'
import { settledEventTypes } from './crib-api.ts'
import { eventTypes } from '../features/event-types.ts'
import type { EventType } from './events/event.ts'
import { callMoves, isSettled, mayMove, statusEvents } from './call-state.ts'

const statuses = Object.keys(callMoves) as CallStatus[]
const anyStatus = fc.constantFrom(...statuses)

test('completed, failed, denied and cancelled are settled, the others are not', () => {
  expect(statuses.filter(isSettled)).toEqual(['completed', 'failed', 'denied', 'cancelled'])
})

test('a running call can be queued again, one that never ran cannot complete', () => {
  expect([mayMove('running', 'queued'), mayMove('queued', 'completed')]).toEqual([true, false])
})

test('staying in a status is not a move', () => {
  expect(statuses.filter((status) => mayMove(status, status))).toEqual([])
})

test('a call can be failed and cancelled from every unsettled status', () => {
  const open = statuses.filter((status) => !isSettled(status))
  expect(open.every((status) => mayMove(status, 'failed') && mayMove(status, 'cancelled'))).toBe(
    true,
  )
})

test('each status has its own event, and the settled ones are those that end a call', () => {
  const events: EventType[] = Object.values(statusEvents)
  expect(new Set(events).size).toBe(statuses.length)
  expect(events.every((event) => eventTypes.includes(event))).toBe(true)
  expect(statuses.filter(isSettled).map((status) => statusEvents[status])).toEqual(
    settledEventTypes,
  )
})

test('a call settles at most once in any order of attempts, and nothing follows', () => {
  const settledEvents = new Set<EventType>(settledEventTypes)
  fc.assert(
    fc.property(anyStatus, fc.array(anyStatus, { maxLength: 50 }), (first, attempts) => {
      const { status, events } = walk(first, attempts)
      const endings = events.filter((event) => settledEvents.has(event))
      expect(endings.length).toBe(isSettled(status) ? 1 : 0)
      if (endings.length > 0) expect(events.at(-1)).toBe(endings[0])
    }),
  )
})

/** A call that makes every allowed move and refuses the rest. */
function walk(first: CallStatus, attempts: readonly CallStatus[]) {
  let status = first
  const events: EventType[] = [statusEvents[first]]
  for (const next of attempts) {
    if (!mayMove(status, next)) continue
    status = next
    events.push(statusEvents[next])
  }
  return { status, events }
}
