import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallResult } from '../../kernel/call.ts'
import { createRunningCalls } from '../run/running-calls.ts'
import { ItemWaits } from './item-waits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const completed = (callId: string): CallResult => ({ callId, status: 'completed', output: 1 })

/** Items that end here, or that only the record knows of. */
function start({ workers = 1 }: { workers?: number } = {}) {
  let held = 0
  const running = createRunningCalls()
  const lookUps = new Map<string, (result: CallResult) => void>()
  const stop = new AbortController()
  const ports = {
    running,
    waitForCall: (_tenant: string, callId: string) =>
      new Promise<CallResult>((resolve) => lookUps.set(callId, resolve)),
    work: {
      keepWorker() {
        if (held >= workers) return undefined
        held += 1
        return () => void (held -= 1)
      },
    },
  }
  const waits = new ItemWaits(ports as never, { tenant: 't', signal: () => stop.signal })
  const run = (result: CallResult) =>
    running.add({
      callId: result.callId ?? '',
      tenant: 't',
      control: { abort: () => undefined },
      done: Promise.resolve(result),
    })
  return { waits, run, lookUps, stop, held: () => held }
}

test('an item that ends here is noticed without a look at the record', async () => {
  const { waits, run, lookUps, held } = start()
  const waiting = waits.wait('call_a')
  run({ callId: 'call_a', status: 'waiting' })
  run(completed('call_a'))
  expect(await waiting).toEqual(completed('call_a'))
  expect([waits.settled, lookUps.size, held()]).toEqual([1, 0, 0])
})

test('an item of another node is found in the record', async () => {
  const { waits, lookUps } = start()
  const waiting = waits.wait('call_a')
  await vi.advanceTimersByTimeAsync(20)
  lookUps.get('call_a')?.(completed('call_a'))
  expect(await waiting).toEqual(completed('call_a'))
})

test('patience lasts as long as items keep ending, then the run has to stop', async () => {
  const { waits, run, held } = start()
  const slow = waits.wait('call_slow')
  for (const callId of ['call_a', 'call_b', 'call_c']) {
    const waiting = waits.wait(callId)
    await vi.advanceTimersByTimeAsync(200)
    run(completed(callId))
    expect(await waiting).toEqual(completed(callId))
  }
  await vi.advanceTimersByTimeAsync(250)
  expect(await slow).toBeUndefined()
  expect(await waits.wait('call_d')).toBeUndefined()
  expect([waits.settled, held()]).toEqual([3, 0])
})

test('without a worker to spare, the run stops at once', async () => {
  const { waits } = start({ workers: 0 })
  expect(await waits.wait('call_a')).toBeUndefined()
})

test.each(['interrupted', 'record_failed'] as const)(
  'an item that ended with %s is left for the next run',
  async (code) => {
    const { waits, run } = start()
    const waiting = waits.wait('call_a')
    run({ callId: 'call_a', status: 'failed', error: { code, message: '', retryable: true } })
    expect(await waiting).toBeUndefined()
    expect(waits.settled).toBe(0)
  },
)

test('the end of the run ends the wait and returns the worker', async () => {
  const { waits, stop, held } = start()
  const waiting = waits.wait('call_a')
  stop.abort()
  expect(await waiting).toBeUndefined()
  expect(held()).toBe(0)
})
