import { expect, test } from 'vitest'
import { countLateEnds } from './count-late-ends.ts'
import type { EffectLine, StoredCall } from './evidence.ts'
import { failed, line, write } from './evidence.fixture.ts'

const begin = line
const end: EffectLine = { ...line, what: 'end' }
const taken: EffectLine = { ...line, run: 'r2', pid: 2 }
const another: EffectLine = { ...line, callId: 'call_x', run: 'r3' }
const count = (effects: EffectLine[], call: Partial<StoredCall> = {}) =>
  countLateEnds({ effects, calls: [{ ...write, ...call }] })

test('an end after another run had begun is late, one before it is not', () => {
  expect(count([begin, taken, end, another])).toBe(1)
  expect(count([begin, end, taken, another])).toBe(0)
})

test('an end of what was given up is late', () => {
  const unknown = { error: failed('outcome_unknown') }
  expect(count([begin, end, another], unknown)).toBe(1)
  expect(count([begin, end, another], { error: failed('cancelled') })).toBe(0)
})

test('who died with its end in hand had nothing refused', () => {
  expect(count([begin, taken, end])).toBe(0)
})
