import { expect, test } from 'vitest'
import { mapInTurns } from './map-in-turns.ts'

test('a long list is mapped in order, and other work gets its turn in between', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const results = await mapInTurns(Array.from({ length: 10 }).keys(), (number) => {
    const until = performance.now() + 6
    while (performance.now() < until);
    return number * 2
  })
  clearInterval(timer)
  expect(results).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
  expect(turns).toBeGreaterThan(1)
})

test('an error in the callback is passed on', async () => {
  const failing = mapInTurns([1], () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
})
