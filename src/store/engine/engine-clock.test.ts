import { expect, test } from 'vitest'
import { openServerClock } from './engine-clock.ts'

test('a node goes by the time of its database, whatever its own clock says', async () => {
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
