import { expect, test } from 'vitest'
import { emptyLog, withCallEvents } from './call-log.ts'
import type { CallEvent } from './call-log.ts'
import { sumPhases, toSegments } from './trace.ts'

const at = (ms: number) => new Date(1_000_000 + ms).toISOString()
const event = (seq: number, type: CallEvent['type'], data: CallEvent['data'] = {}): CallEvent => ({
  id: String(seq),
  seq,
  type,
  at: at(seq * 10),
  data,
})

test('events repeated after a reconnect are kept once', () => {
  const first = [event(1, 'call.requested'), event(2, 'call.started')]
  const log = withCallEvents(withCallEvents(emptyLog, first), [
    ...first,
    event(3, 'call.completed'),
  ])
  expect(log.events.map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('text is joined; the newest progress and partial output win', () => {
  const log = withCallEvents(emptyLog, [
    event(1, 'call.output', { progress: { done: 1, total: 3, text: 'a' } }),
    event(2, 'call.output', { partial: { rows: 1 } }),
    event(3, 'call.output', { progress: { done: 2, text: 'b' } }),
  ])
  expect(log).toMatchObject({
    text: 'ab',
    progress: { done: 2, total: 3 },
    partial: { rows: 1 },
    outputs: 3,
  })
})

test('the oldest output is dropped when there is too much, but state changes are kept', () => {
  const many = Array.from({ length: 3000 }, (_, index) =>
    event(index + 2, 'call.output', { progress: { done: index } }),
  )
  const log = withCallEvents(emptyLog, [event(1, 'call.requested'), ...many])
  expect(log.events).toHaveLength(1000)
  expect(log.leftOut).toBe(2001)
  expect(log.events[0]?.type).toBe('call.requested')
  expect(log.events.at(-1)?.seq).toBe(3001)
})

test('every attempt and every wait is a segment of its own', () => {
  const segments = toSegments(
    [
      event(1, 'call.requested'),
      event(2, 'call.started'),
      event(4, 'call.queued'),
      event(5, 'call.started'),
      event(7, 'call.waiting'),
    ],
    Date.parse(at(100)),
  )
  expect(segments.map(({ phase }) => phase)).toEqual([
    'queued',
    'running',
    'queued',
    'running',
    'waiting',
  ])
  expect(sumPhases(segments)).toEqual({ queued: 20, running: 40, waiting: 30 })
})
