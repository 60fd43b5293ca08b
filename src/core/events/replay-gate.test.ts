import { expect, test } from 'vitest'
import { createReplayGate } from './replay-gate.ts'

test('a few pages are read at once, and tenants take turns', async () => {
  const gate = createReplayGate(2)
  const order: string[] = []
  let open = 0
  let most = 0
  const read = (tenant: string) =>
    gate.read(tenant, async () => {
      order.push(tenant)
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, 1))
      open -= 1
    })
  const many = Array.from({ length: 10 }, () => read('many'))
  await Promise.all([...many, read('few'), read('few')])
  expect(most).toBe(2)
  expect(order.lastIndexOf('few')).toBeLessThan(7)
  expect(order).toHaveLength(12)
})

test('a page that fails frees its slot for the next', async () => {
  const gate = createReplayGate(1)
  await expect(gate.read('t', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await gate.read('t', () => Promise.resolve(1))).toBe(1)
})
