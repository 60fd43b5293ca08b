import { expect, test } from 'vitest'
import type { GroupRow } from '../evidence.ts'
import { story, write } from '../evidence.fixture.ts'
import type { GroupLine } from './group-journal.ts'
import { toGroupFacts } from './to-group-facts.ts'

const row: GroupRow = {
  groupId: 'group_1',
  isSealed: true,
  isContinued: true,
  counted: { members: 2, pending: 0, failed: 0 },
}
const line: GroupLine = { what: 'continue', groupId: 'group_1', pid: 1, atMs: 0, attempt: 1 }
const member = (callId: string, operation: string) => ({
  ...write,
  callId,
  groupId: 'group_1',
  input: { operation },
})
const sources = { rows: [row], calls: [], events: [], leaseMs: 10_000 }
const factsOf = (...lines: GroupLine[]) => toGroupFacts({ ...sources, lines })[0]
const cutOffs = (...lines: GroupLine[]) =>
  factsOf(...lines)?.continuations.map(({ isCutOff }) => isCutOff)

test('a group is known by its row, its calls in the order they were made, its events and its runs', () => {
  const [fact] = toGroupFacts({
    ...sources,
    calls: [member('call_a', 'g/10'), member('call_b', 'g/9'), { ...write, callId: 'call_c' }],
    events: story('1', 'group.sealed', 'group.settled').toReversed(),
    lines: [
      { ...line, results: ['call_b', 'call_a'] },
      { ...line, groupId: 'group_2' },
    ],
  })
  expect(fact).toEqual({
    ...row,
    members: ['call_b', 'call_a'],
    events: ['group.sealed', 'group.settled'],
    continuations: [{ results: ['call_b', 'call_a'], isCutOff: false }],
    hasLostWaiter: false,
  })
})

test('a run is cut off when another began long after it, or after it failed', () => {
  const next = { ...line, attempt: 2, atMs: 6000 }
  expect(cutOffs(line, next)).toEqual([true, false])
  expect(cutOffs(line, { ...next, atMs: 4000 })).toEqual([false, false])
  const threw: GroupLine = { ...line, what: 'threw', atMs: 1 }
  expect(cutOffs(line, threw, { ...next, atMs: 4000 })).toEqual([true, false])
})

test('an attempt that begins after a later one does not count as its successor', () => {
  const later = { ...line, attempt: 2 }
  expect(cutOffs(later, { ...line, atMs: 60_000 })).toEqual([false, false])
  const threw: GroupLine = { ...later, what: 'threw', atMs: 1 }
  expect(cutOffs(later, threw, { ...line, atMs: 60_000 })).toEqual([false, false])
})

test('who waited and went on is never cut off', () => {
  expect(cutOffs({ ...line, what: 'went-on' }, { ...line, atMs: 60_000 })).toEqual([false, false])
})

test('a waiter that said nothing after it began is lost', () => {
  const wait: GroupLine = { ...line, what: 'wait' }
  expect(factsOf(wait)?.hasLostWaiter).toBe(true)
  expect(factsOf(wait, { ...line, what: 'gave-up' })?.hasLostWaiter).toBe(false)
  expect(factsOf(wait, { ...line, what: 'went-on' })?.hasLostWaiter).toBe(false)
})
