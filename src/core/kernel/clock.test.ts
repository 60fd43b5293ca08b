import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

function createTimes() {
  const times = { reference: 1_000_000, monotonic: 50 }
  const clock = createClock({
    reference: () => times.reference,
    monotonic: () => times.monotonic,
  })
  return {
    clock,
    pass(ms: number) {
      times.reference += ms
      times.monotonic += ms
    },
    jump: (ms: number) => (times.reference += ms),
    reference: () => times.reference,
  }
}

test('it follows its reference, and jumps forward with it at once', () => {
  const { clock, pass, jump } = createTimes()
  expect(clock.now()).toBe(1_000_000)
  pass(500)
  expect(clock.now()).toBe(1_000_500)
  jump(3_600_000)
  expect(clock.now()).toBe(4_600_500)
})

test('when the reference is set back it runs at half speed until they meet', () => {
  const { clock, pass, jump, reference } = createTimes()
  jump(-7_200_000)
  expect(clock.now()).toBe(1_000_000)
  pass(10_000)
  expect(clock.now()).toBe(1_005_000)
  pass(14_390_000)
  expect(clock.now()).toBe(reference())
  pass(1000)
  expect(clock.now()).toBe(reference())
})

test('it never goes back and never stops, whatever its reference does', () => {
  const steps = fc.array(
    fc.record({
      pass: fc.integer({ min: 0, max: 60_000 }),
      jump: fc.integer({ min: -7_200_000, max: 7_200_000 }),
    }),
  )
  fc.assert(
    fc.property(steps, (list) => {
      const { clock, pass, jump, reference } = createTimes()
      let before = clock.now()
      for (const step of list) {
        jump(step.jump)
        pass(step.pass)
        const now = clock.now()
        expect(now).toBeGreaterThanOrEqual(before + Math.floor(step.pass / 2) - 1)
        expect(now).toBeGreaterThanOrEqual(reference())
        before = now
      }
    }),
  )
})
