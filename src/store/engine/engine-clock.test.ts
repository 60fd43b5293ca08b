import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { openServerClock } from './engine-clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a node uses the time of its database, whatever its own clock shows', async () => {
  const hour = 3_600_000
  const clock = await openServerClock(() => Promise.resolve(Date.now() - hour))
  expect(Math.abs(clock.now() - (Date.now() - hour))).toBeLessThan(2000)
  const before = clock.now()
  await expect.poll(() => clock.now()).toBeGreaterThan(before)
  clock.stop()
})

test('a database that does not say its time can not be opened', async () => {
  await expect(openServerClock(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})

test('a question that is held back on its way does not put the clock ahead', async () => {
  const clock = await openServerClock(async () => {
    await sleep(500)
    return Date.now()
  })
  expect(clock.now() - Date.now()).toBeLessThan(100)
  clock.stop()
})

test('an answer that was long under way moves nothing that it does not contradict', async () => {
  vi.useFakeTimers()
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  let lateMs = { before: 0, after: 0 }
  let wrongMs = 0
  const opening = openServerClock(async () => {
    await wait(lateMs.before)
    const time = Date.now() + wrongMs
    await wait(lateMs.after)
    return time
  })
  await vi.advanceTimersByTimeAsync(10)
  const clock = await opening
  const isRight = async (late: typeof lateMs, wrong = 0) => {
    lateMs = late
    wrongMs = wrong
    await vi.advanceTimersByTimeAsync(20_000)
    return Math.abs(clock.now() - Date.now() - wrong) < 10
  }
  expect(await isRight({ before: 0, after: 0 })).toBe(true)
  expect(await isRight({ before: 3000, after: 0 })).toBe(true)
  expect(await isRight({ before: 0, after: 3000 })).toBe(true)
  // The server's own clock was set: that is seen by any answer.
  expect(await isRight({ before: 0, after: 0 }, 60_000)).toBe(true)
  clock.stop()
})
