import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToolError } from '../core/kernel/errors.ts'
import type { StoredCall } from '../core/call-log.ts'
import type { Job, WorkQueue } from '../core/work-ports.ts'
import { Worker } from './worker.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const callId = `call_${'0'.repeat(31)}1`
const job: Job = { tenant: 't', callId, queue: 'calls', lease: 0 }
const call = { tenant: 't', callId, tool: 'test.elsewhere', status: 'queued' } as StoredCall

/** A queue with one job that returns whenever it is given back. */
function createQueueOfOne() {
  const jobs: Job[] = [job]
  const log: string[] = []
  const queue: WorkQueue = {
    take: async () => jobs.splice(0),
    keep: async () => undefined,
    drop: async () => undefined,
    async handBack(back) {
      log.push('back')
      setTimeout(() => jobs.push(...back), 1000)
    },
    async rest({ tenant }, ms) {
      log.push(`${tenant} rests ${ms}`)
    },
    rouse: async (tenant) => void log.push(`${tenant} goes on`),
    restore: async () => undefined,
    prepare: async () => undefined,
    waiting: async () => new Map(),
    watch: () => () => undefined,
    stop: async () => undefined,
  }
  return { queue, jobs, log }
}

/** A node without the tool, while others say whether they have it. */
function startWithout(isElsewhere: () => boolean) {
  const { queue, jobs, log } = createQueueOfOne()
  const worker = new Worker({
    queue,
    calls: { findRunnable: async () => [call] },
    run: async () => false,
    isElsewhere: async () => isElsewhere(),
    isSuspended: async () => false,
    giveUp: async () => void log.push('given up'),
    slots: 1,
    onWarning: (message) => log.push(message),
  })
  const outcomes = () => [...new Set(log)]
  return { worker, jobs, outcomes }
}

/** Suspended in the memory of this node, and in the store for these reads. */
function startSuspended(inStore: boolean[]) {
  const { queue, log } = createQueueOfOne()
  const worker = new Worker({
    queue,
    calls: { findRunnable: async () => [call] },
    isSuspended: async () => inStore.shift() ?? false,
    run: () => Promise.reject(new ToolError('tenant_suspended', 'suspended')),
    giveUp: async () => void log.push('given up'),
    slots: 1,
    onWarning: (message) => log.push(message),
  })
  return { worker, log }
}

test('a call of a suspended tenant rests with its like, and nobody is warned', async () => {
  const { worker, log } = startSuspended([true, true])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(log).toEqual(['t rests 60000'])
  await worker.stop()
})

test('a node that learns late of a resumed tenant does not delay its calls', async () => {
  const { worker, log } = startSuspended([false])
  await vi.advanceTimersByTimeAsync(500)
  expect(log).toEqual(['back'])
  await worker.stop()
})

test('a tenant that is resumed while its calls are delayed continues', async () => {
  const { worker, log } = startSuspended([true, false])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(log).toEqual(['t rests 60000', 't goes on'])
  await worker.stop()
})

test('a call whose tool no node has fails after a while', async () => {
  const { worker, outcomes } = startWithout(() => false)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(outcomes()).toEqual(['back'])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(outcomes()).toEqual(['back', 'given up'])
  await worker.stop()
})

test('a call whose node is only busy waits for it, however long that takes', async () => {
  const { worker, outcomes } = startWithout(() => true)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(outcomes()).toEqual(['back'])
  await worker.stop()
})

test('a call that others ran in between and that comes back has its time again', async () => {
  const { worker, jobs, outcomes } = startWithout(() => false)
  await vi.advanceTimersByTimeAsync(5000)
  const taken = vi.spyOn(jobs, 'splice').mockReturnValue([])
  await vi.advanceTimersByTimeAsync(60_000)
  taken.mockRestore()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(outcomes()).toEqual(['back'])
  await worker.stop()
})
