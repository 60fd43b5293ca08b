import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns } from './in-turn.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const forever = () => new Promise<void>(() => undefined)

test('work begins when the work before it has ended, however it ended', async () => {
  const inTurn = createTurns(1000)
  const ends: string[] = []
  const first = inTurn(async () => {
    await Promise.resolve()
    ends.push('first')
    throw new Error('broken')
  })
  const second = inTurn(async () => void ends.push('second'))
  await expect(first).rejects.toThrow('broken')
  await second
  expect([ends, vi.getTimerCount()]).toEqual([['first', 'second'], 0])
})

test('work that does not end holds up the rest only for a while, from when it began', async () => {
  const inTurn = createTurns(1000)
  const ran: number[] = []
  for (const number of [1, 2]) {
    void inTurn(() => {
      ran.push(number)
      return forever()
    })
  }
  const last = inTurn(async () => void ran.push(3))
  await vi.advanceTimersByTimeAsync(1500)
  expect(ran).toEqual([1, 2])
  await vi.advanceTimersByTimeAsync(500)
  await last
  expect(ran).toEqual([1, 2, 3])
})
