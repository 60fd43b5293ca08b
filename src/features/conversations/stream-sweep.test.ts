import { expect, test } from 'vitest'
import type { Stores } from '../stores.ts'
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
  } satisfies Pick<Stores['conversations'], 'removeChunks'>
  const sweep = streamSweep({
    now: Date.now,
    conversations: conversations as Stores['conversations'],
  })
  const sweeps = startSweeps([sweep], (message) => expect.unreachable(message))
  sweeps.wake(sweep.name)
  await expect.poll(() => rows).toBe(0)
  await sweeps.stop()
})
