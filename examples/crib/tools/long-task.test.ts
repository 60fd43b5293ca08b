import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import longTask from './long-task.tool.ts'

test('the primes below a thousand, in four steps, with progress', async () => {
  const { output, progress } = await runTool(longTask, { upTo: 1000, steps: 4, delayMs: 0 })
  expect(output).toEqual({
    summary: { upTo: 1000, primes: 168, largestPrime: 997, densityPercent: 16.8 },
    steps: [
      { from: 2, to: 250, primes: 53 },
      { from: 251, to: 500, primes: 42 },
      { from: 501, to: 750, primes: 37 },
      { from: 751, to: 1000, primes: 36 },
    ],
    chart: [
      { label: 'to 250', primes: 53 },
      { label: 'to 500', primes: 42 },
      { label: 'to 750', primes: 37 },
      { label: 'to 1000', primes: 36 },
    ],
  })
  expect(progress).toEqual([
    { done: 0, total: 4, message: 'Counting primes up to 1000' },
    { done: 1, total: 4, message: '53 primes from 2 to 250' },
    { done: 2, total: 4, message: '42 primes from 251 to 500' },
    { done: 3, total: 4, message: '37 primes from 501 to 750' },
    { done: 4, total: 4, message: '36 primes from 751 to 1000' },
  ])
})

test('more steps than numbers leave some empty, and the count stays right', async () => {
  const { output } = await runTool(longTask, { upTo: 3, steps: 5, delayMs: 0 })
  expect(output).toMatchObject({ summary: { primes: 2, largestPrime: 3 } })
})

test('a known count up to ten million', async () => {
  const { output } = await runTool(longTask, { upTo: 10_000_000, steps: 3, delayMs: 0 })
  expect(output).toMatchObject({
    summary: { upTo: 10_000_000, primes: 664_579, largestPrime: 9_999_991, densityPercent: 6.65 },
  })
})

test('a cancel ends it at once, waiting or counting', async () => {
  const startedAt = performance.now()
  for (const input of [{ delayMs: 5000 }, { upTo: 50_000_000, steps: 1, delayMs: 0 }]) {
    const controller = new AbortController()
    const running = runTool(longTask, input, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('cancelled')), 20)
    await expect(running).rejects.toThrow('cancelled')
  }
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
