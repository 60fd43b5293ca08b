import { expect, test } from 'vitest'
import type { CallResult } from '../../kernel/call.ts'
import { confirmEnd } from './confirm-end.ts'
import { createRunningCalls } from './running-calls.ts'

const callId = 'call_a'
const facts = { callId, caller: { tenant: 't' }, contract: { effect: 'write' } }
const mine: CallResult = { callId, status: 'completed', output: 'mine' }
const waiting: CallResult = { callId, status: 'waiting', waitingFor: 'approval' }

/** Another node has the call, and it waits for a person there. */
function start(isAwaited: boolean) {
  const running = createRunningCalls()
  const waitForCall = (_tenant: string, _callId: string, signal?: AbortSignal) =>
    new Promise<CallResult>((resolve) => {
      const end = () => resolve(waiting)
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    })
  const run = { call: { facts }, isAwaited, ports: { running, waitForCall } }
  const done = confirmEnd(Promise.resolve(false), mine, run as never)
  running.add({ callId, tenant: 't', control: { abort: () => undefined }, done })
  return { running, done }
}

test('a run that another node took over keeps no worker here', async () => {
  expect(await start(false).done).toEqual(waiting)
})

test('a caller waits for the other node until this server stops', async () => {
  const { running, done } = start(true)
  await running.drain(10)
  expect(await done).toEqual(waiting)
  expect(running.count()).toBe(0)
})
