import { expect, test } from 'vitest'
import { createSlots } from './create-slots.ts'

const never = new AbortController().signal

test('a tenant runs so much at once and no more, and the others do not wait for it', async () => {
  const slots = createSlots(2)
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, (running += 1))
    await gate.promise
    running -= 1
  }
  const all = Array.from({ length: 6 }, () => slots.run('acme', never, work))
  await slots.run('other', never, async () => undefined)
  expect(running).toBe(2)
  gate.resolve()
  await Promise.all(all)
  expect([most, running]).toEqual([2, 0])
})

test('work that is called off while it waits never runs, and its place is free', async () => {
  const slots = createSlots(1)
  const gate = Promise.withResolvers<void>()
  const first = slots.run('acme', never, () => gate.promise)
  const leaving = new AbortController()
  const second = slots.run('acme', leaving.signal, () => Promise.reject(new Error('it ran')))
  leaving.abort(new Error('called off'))
  await expect(second).rejects.toThrow('called off')
  const third = slots.run('acme', never, async () => 'third')
  gate.resolve()
  await first
  expect(await third).toBe('third')
})
