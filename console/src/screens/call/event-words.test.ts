import { expect, test } from 'vitest'
import type { CallEvent } from './call-log.ts'
import { toStory } from './event-words.ts'

const event = (type: CallEvent['type'], data: CallEvent['data']): CallEvent => ({
  id: type,
  seq: 1,
  at: '2026-11-15T12:00:00Z',
  type,
  data,
})
const linesOf = (...events: CallEvent[]) =>
  toStory(events, 1).map(({ title, detail }) => [title, detail])

test('the events of a call read as a story', () => {
  const story = linesOf(
    event('call.requested', {
      tool: 'a.b',
      effect: 'write',
      runtime: 'cli',
      decision: { verdict: 'ask', layer: 'approval', rule: 'always' },
      input: { to: 'x' },
    }),
    event('approval.granted', { approvalId: 'apr_1', by: 'user:anna', missing: 0, isEdited: true }),
    event('call.queued', { reason: 'The upstream is down', code: 'upstream_failed', retry: 1 }),
    event('call.started', { attempt: 2 }),
    event('call.waiting', { for: 'external' }),
    event('call.failed', {
      durationMs: 5,
      error: { code: 'timeout', message: 'Too late', retryable: false },
      cost: 3,
    }),
  )
  expect(story).toEqual([
    ['Requested', 'through the command line · 1 input field'],
    ['Policy: ask', 'always'],
    ['Approved', 'by user:anna · input edited'],
    ['Queued', 'again after: The upstream is down'],
    ['Started', 'attempt 2'],
    ['Waiting for an external worker', undefined],
    ['Failed', 'Too late · 5 ms · cost 3'],
  ])
})

test('an event of another version is shown as far as it can be read', () => {
  const types = ['call.requested', 'call.queued', 'call.started', 'call.waiting', 'call.failed']
  for (const type of types as CallEvent['type'][]) {
    for (const data of [null, 'text', 7, [], { error: 'x', decision: 1, attempt: 'x', for: {} }]) {
      expect(linesOf(event(type, data))).toHaveLength(1)
    }
  }
})
