import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  emptyWindow,
  giveBack,
  moveWindow,
  msUntilFree,
  sliceCount,
  sliceMs,
  takeFromWindow,
  totalOf,
  type Window,
} from './window.ts'

const steps = fc.array(
  fc.record({
    // Mistakes would show in the last moments before sixty seconds have passed.
    afterMs: fc.oneof(
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 0, max: 90_000 }),
      fc.integer({ min: 50_000, max: 60_000 }),
    ),
    wanted: fc.integer({ min: 0, max: 12 }),
    unused: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 10, maxLength: 60 },
)

test('no sixty seconds contain more calls than the limit', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 30 }), (list, most) => {
      const taken: { at: number; count: number }[] = []
      let window: Window = emptyWindow
      let at = 1_000_000
      for (const { afterMs, wanted, unused } of list) {
        at += afterMs
        const slot = Math.floor(at / sliceMs)
        const result = takeFromWindow(window, { slot, most, wanted })
        const back = Math.min(unused, result.granted)
        window = giveBack(result.window, { slot, count: back })
        taken.push({ at, count: result.granted - back })
      }
      for (const { at: from } of taken) {
        const within = taken.filter((one) => one.at >= from && one.at < from + 60_000)
        expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(most)
      }
    }),
    { numRuns: 500 },
  )
})

test('a caller who retries at the given time finds capacity, and not a slice sooner', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (list, most) => {
      let window: Window = emptyWindow
      let at = 1_000_000
      for (const { afterMs, wanted } of list) {
        at += afterMs
        const slot = Math.floor(at / sliceMs)
        ;({ window } = takeFromWindow(window, { slot, most, wanted }))
      }
      const wait = msUntilFree(window, { most, intoSliceMs: at % sliceMs })
      expect(wait).toBeDefined()
      const roomAt = (ms: number) =>
        most - totalOf(moveWindow(window, Math.floor((at + ms) / sliceMs)))
      expect(roomAt(wait ?? 0)).toBeGreaterThan(0)
      if (wait !== 0) expect(roomAt((wait ?? 0) - 1)).toBe(0)
    }),
  )
})

test('a clock that is set back frees nothing, and holds nothing longer than a window', () => {
  const { window } = takeFromWindow(emptyWindow, { slot: 5000, most: 9, wanted: 7 })
  const back = moveWindow(window, 100)
  expect(totalOf(back)).toBe(7)
  expect(totalOf(moveWindow(back, 100 + sliceCount - 1))).toBe(7)
  expect(totalOf(moveWindow(back, 100 + sliceCount))).toBe(0)
})

test('a limit of zero has no retry time', () => {
  expect(msUntilFree(emptyWindow, { most: 0, intoSliceMs: 0 })).toBeUndefined()
})
