import { expect, test } from 'vitest'
import { createOnDemand } from './on-demand.ts'

const about = { server: 'docs', why: 'it ended', retryAt: 300_000 }
const begun = async () => 'begun'

test('five starts within a minute, then no more until the first of them is a minute old', async () => {
  const clock = { now: 1000 }
  const demand = createOnDemand(() => clock.now)
  for (let number = 0; number < 5; number += 1) {
    expect(await demand.start(begun, about)).toBe('begun')
    clock.now += 1000
  }
  await expect(demand.start(begun, about)).rejects.toMatchObject({
    code: 'upstream_failed',
    retryable: true,
    fix: expect.stringContaining('started again at 1970-01-01T00:01:01Z'),
  })
  clock.now = 61_000
  expect(await demand.start(begun, about)).toBe('begun')
})

test('calls that come while it is being started are one start', async () => {
  const demand = createOnDemand(() => 0)
  const { promise, resolve } = Promise.withResolvers<string>()
  const all = Array.from({ length: 9 }, () => demand.start(() => promise, about))
  resolve('begun')
  expect(await Promise.all(all)).toEqual(Array.from({ length: 9 }, () => 'begun'))
  for (let number = 0; number < 4; number += 1) await demand.start(begun, about)
  await expect(demand.start(begun, about)).rejects.toThrow('5 times within a minute')
})
