import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineEvents } from '../core/events/define-events.ts'
import { eventDefinitions } from './declarations.ts'
import { areOutsideCalls, eventTypes, toEventTypes } from './event-types.ts'

describe('groups of events', () => {
  test('words that name nothing stand for nothing', () => {
    expect(toEventTypes(['nonsense', 'constructor', '__proto__'])).toEqual([])
    expect(toEventTypes(['keys', 'call.failed'])).toEqual([
      'call.failed',
      'key.created',
      'key.revoked',
      'key.token_issued',
      'key.rotated',
    ])
  })

  test('events of calls are not searched for outside of them', () => {
    expect(areOutsideCalls(toEventTypes(['people', 'secrets', 'keys', 'tools']))).toBe(true)
    for (const group of ['calls', 'approvals', 'policy']) {
      expect([group, areOutsideCalls(toEventTypes([group]))]).toEqual([group, false])
    }
  })
})

test('a type is named after its noun and what happened, and has a meaning', () => {
  for (const type of eventTypes) {
    expect(type).toMatch(/^[a-z]+(?:\.[a-z]+)?\.[a-z_]+$/)
    expect(eventDefinitions[type].meaning.length).toBeGreaterThan(5)
    expect(eventDefinitions[type].label).toMatch(/^[A-Z]/)
  }
})

test('one entry gives a type its label, its group and what it makes stale', () => {
  const data = () => z.object({})
  const noun = { noun: 'Room', group: 'calls', stale: ['rooms'] } as const
  const events = defineEvents(noun, {
    'room.opened': { meaning: 'Somebody opened a room', data },
    'room.left_empty': { meaning: 'Nobody is there', stale: [], label: 'Everybody left', data },
  })
  expect(events).toEqual({
    'room.opened': {
      ...noun,
      meaning: 'Somebody opened a room',
      label: 'Room opened',
      inCall: false,
      data,
    },
    'room.left_empty': {
      ...noun,
      meaning: 'Nobody is there',
      label: 'Everybody left',
      stale: [],
      inCall: false,
      data,
    },
  })
})
