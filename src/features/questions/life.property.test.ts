import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextReminder, type QuestionStep, whyNot } from './life.ts'
import type { QuestionStatus } from './model.ts'

const minute = 60_000
const steps: readonly QuestionStep[] = [
  'answered',
  'declined',
  'expired',
  'withdrawn',
  'reminded',
  'reassigned',
]
const moves = fc.array(
  fc.record({ step: fc.constantFrom(...steps), afterMs: fc.integer({ min: 0, max: 90 * minute }) }),
  { maxLength: 40 },
)
const timing = fc.record({
  lastsMs: fc.integer({ min: 1, max: 600 * minute }),
  remindEveryMs: fc.option(fc.integer({ min: minute, max: 120 * minute }), { nil: undefined }),
})

/** A question that takes every step that is allowed, as the store does. */
function live(
  { lastsMs, remindEveryMs }: { lastsMs: number; remindEveryMs: number | undefined },
  path: readonly { step: QuestionStep; afterMs: number }[],
) {
  const question = {
    createdMs: 0,
    expiresMs: lastsMs,
    remindEveryMs,
    remindMs: nextReminder({ createdMs: 0, expiresMs: lastsMs, remindEveryMs }, 0),
    status: 'pending' as QuestionStatus,
  }
  const taken: { step: QuestionStep; at: number }[] = []
  let at = 0
  for (const { step, afterMs } of path) {
    at += afterMs
    if (whyNot(question, step, at) !== undefined) continue
    taken.push({ step, at })
    if (step === 'reminded') question.remindMs = nextReminder(question, at)
    else if (step !== 'reassigned') question.status = step
  }
  return { question, taken }
}

test('a question ends at most once, and nothing happens to it afterwards', () => {
  fc.assert(
    fc.property(timing, moves, (times, path) => {
      const { question, taken } = live(times, path)
      const ends = taken.filter(({ step }) => step !== 'reminded' && step !== 'reassigned')
      expect(ends.length).toBe(question.status === 'pending' ? 0 : 1)
      if (ends.length === 1) expect(taken.at(-1)).toBe(ends[0])
    }),
  )
})

test('people act before the expiry, and it expires only after', () => {
  fc.assert(
    fc.property(timing, moves, (times, path) => {
      for (const { step, at } of live(times, path).taken) {
        if (step === 'expired') expect(at).toBeGreaterThanOrEqual(times.lastsMs)
        else if (step !== 'withdrawn') expect(at).toBeLessThan(times.lastsMs)
      }
    }),
  )
})

test('there is one reminder in each period at most, and none where none is asked for', () => {
  fc.assert(
    fc.property(timing, moves, (times, path) => {
      const every = times.remindEveryMs
      const sent = live(times, path).taken.filter(({ step }) => step === 'reminded')
      const periods = sent.map(({ at }) => Math.floor(at / (every ?? 1)))
      if (every === undefined) expect(sent).toEqual([])
      expect(new Set(periods).size).toBe(sent.length)
      expect(periods).not.toContain(0)
    }),
  )
})
