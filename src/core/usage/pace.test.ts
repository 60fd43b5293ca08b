import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfSpan, findPercentile, readPaceSubject, spanOf, toPaceSubject } from './pace.ts'

test('a time is within its span, and spans are a fifth apart', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 86_400_000, noNaN: true }), (runMs) => {
      const end = endOfSpan(spanOf(runMs))
      expect(end).toBeGreaterThanOrEqual(runMs * 0.999)
      expect(end / 1.2).toBeLessThanOrEqual(runMs * 1.001)
    }),
  )
  expect([spanOf(0), spanOf(0.4), spanOf(1e12)]).toEqual([0, 0, 103])
})

test('a percentile of spans matches the percentile of the times, to within a span', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1 }),
      fc.constantFrom(0.5, 0.95, 1),
      (times, share) => {
        const spans = new Map<number, number>()
        for (const time of times) spans.set(spanOf(time), (spans.get(spanOf(time)) ?? 0) + 1)
        const sorted = times.toSorted((left, right) => left - right)
        const exact = sorted[Math.ceil(times.length * share) - 1] ?? 0
        const found = findPercentile(spans, share) ?? 0
        expect(found).toBeGreaterThanOrEqual(exact - 1)
        expect(found).toBeLessThanOrEqual(exact * 1.2 + 1)
      },
    ),
  )
  expect(findPercentile(new Map(), 0.95)).toBe(undefined)
})

test('a tool with any name is read back from its subject', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (tool, runMs) => {
      expect(readPaceSubject(toPaceSubject(tool, spanOf(runMs)))).toEqual({
        tool,
        span: spanOf(runMs),
      })
    }),
  )
})
