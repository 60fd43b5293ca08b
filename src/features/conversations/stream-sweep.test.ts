import { expect, test } from 'vitest'
import type { Store } from '../../core/ports.ts'
import { startSweeps } from '../../engine/sweeps.ts'
import { streamSweep } from './stream-sweep.ts'

test('all that is old goes, however much has been streamed', async () => {
  let rows = 2_300
  const conversations = {
    async removeChunks(beforeMs: number, limit: number) {
      expect(beforeMs).toBeLessThan(Date.now() - 3_000_000)
      const removed = Math.min(rows, limit)
      rows -= removed
      return removed
    },
  } satisfies Pick<Store['conversations'], 'removeChunks'>
  const sweep = streamSweep({
    now: Date.now,
    conversations: conversations as Store['conversations'],
  })
  const sweeps = startSweeps([sweep], (message) => expect.unreachable(message))
  sweeps.wake(sweep.name)
  await expect.poll(() => rows).toBe(0)
  await sweeps.stop()
})
