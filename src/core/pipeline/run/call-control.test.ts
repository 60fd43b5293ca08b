import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallControl } from './call-control.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the clock stops while it is held, however often', () => {
  const control = new CallControl(1000, undefined)
  vi.advanceTimersByTime(400)
  const first = control.hold()
  const second = control.hold()
  vi.advanceTimersByTime(5000)
  expect(control.remainingMs()).toBe(600)
  first()
  // Calling it twice counts once.
  first()
  vi.advanceTimersByTime(5000)
  expect([control.remainingMs(), control.reason]).toEqual([600, undefined])
  second()
  vi.advanceTimersByTime(599)
  expect(control.reason).toBeUndefined()
  vi.advanceTimersByTime(2)
  expect(control.reason?.code).toBe('timeout')
})

test('a call that ends while its clock is held stays ended', () => {
  const control = new CallControl(1000, undefined)
  const goOn = control.hold()
  control.release()
  goOn()
  vi.advanceTimersByTime(5000)
  expect([control.isOver, control.reason]).toEqual([true, undefined])
})

test('a held call can still be cancelled', () => {
  const outer = new AbortController()
  const control = new CallControl(1000, outer.signal)
  control.hold()
  outer.abort()
  expect(control.reason?.code).toBe('cancelled')
})
