import { expect, test } from 'vitest'
import { pause } from './pause.ts'

test('a pause ends at once with the reason of the abort', async () => {
  const controller = new AbortController()
  const startedAt = performance.now()
  const waiting = pause(60_000, controller.signal)
  controller.abort(new Error('changed my mind'))
  await expect(waiting).rejects.toThrow('changed my mind')
  await expect(pause(60_000, controller.signal)).rejects.toThrow('changed my mind')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
