import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StoredCall } from '../call-log.ts'
import { shareParentReads } from './parent-reads.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('calls that start together share a read of their parent, and later ones read it again', async () => {
  const parent = { callId: 'call_p' } as StoredCall
  const findWithInput = vi.fn<() => Promise<StoredCall | undefined>>(async () => parent)
  const log = { findWithInput }
  const read = () => shareParentReads(log).find('t', 'call_p')
  expect(await Promise.all([read(), read()])).toEqual([parent, parent])
  await shareParentReads(log).findWithInput('other', 'call_p')
  expect(findWithInput).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(100)
  await read()
  expect(findWithInput).toHaveBeenCalledTimes(3)
})

test('a read that failed is not shared with those after it', async () => {
  const findWithInput = vi.fn<() => Promise<StoredCall | undefined>>(async () => undefined)
  findWithInput.mockRejectedValueOnce(new Error('away'))
  const log = { findWithInput }
  await expect(shareParentReads(log).find('t', 'call_p')).rejects.toThrow('away')
  expect(await shareParentReads(log).find('t', 'call_p')).toBeUndefined()
})
