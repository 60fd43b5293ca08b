import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { createId } from '../src/core/ids.ts'
import type { CallStart, Store } from '../src/core/ports.ts'
import { createMemoryStore, createTestCrib } from '../src/testing/index.ts'

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const
const hourAgo = Date.now() - 3_600_000

let runs = 0
const inner = defineTool({
  name: 'inner.read',
  description: 'Is called by the other one.',
  effect: 'read',
  inputSchema: z.object({}),
  // Longer than the one millisecond that is left to a call whose time seems to be over.
  execute: () => new Promise((resolve) => setTimeout(() => resolve('inner'), 50)),
})
const outer = defineTool({
  name: 'outer.read',
  description: 'Calls the other one, in the background.',
  effect: 'read',
  execution: 'background',
  timeoutMs: 5000,
  inputSchema: z.object({}),
  execute(_input, { call }) {
    runs += 1
    return call('inner.read', {})
  },
})

let crib: Crib
afterEach(() => crib.close())

/** Opens a crib over a call that a node, long gone, had begun for the given time. */
async function openOver(attempt: number): Promise<string> {
  runs = 0
  const store = createMemoryStore()
  const start: CallStart = {
    callId: createId('call'),
    tenant: 'default',
    tool: 'outer.read',
    status: 'queued',
    input: {},
    principal: owner.principal,
    permissions: ['*'],
    runtime: 'api',
    attempt: 0,
    execution: 'background',
    isRepeatable: true,
    timeoutMs: 5000,
    requestedAt: hourAgo,
    events: [{ type: 'call.requested', at: hourAgo, data: {} }],
  }
  await store.calls.open(start)
  const record = await store.calls.find('default', start.callId)
  if (record === undefined) throw new Error('The call was not stored')
  let isClaimed = false
  const claimOrphans: Store['calls']['claimOrphans'] = async () => {
    if (isClaimed) return []
    isClaimed = true
    return [
      {
        ...start,
        ...record,
        requestedAt: record.requestedAt,
        startedAt: undefined,
        status: 'running',
        attempt,
      },
    ]
  }
  const calls = { ...store.calls, claimOrphans }
  crib = await createTestCrib({ tools: [inner, outer], store: { ...store, calls } })
  return start.callId
}

test('a call from before the crash has its whole time again, also for what it calls', async () => {
  const callId = await openOver(1)
  const call = await crib.api.findCall(owner, callId, { waitMs: 4000 })
  expect([call.status, call.output, runs]).toEqual(['completed', 'inner', 1])
})

test('a call that was there at three crashes is not given a fourth', async () => {
  const callId = await openOver(3)
  const call = await crib.api.findCall(owner, callId, { waitMs: 4000 })
  expect([call.status, call.error?.code, runs]).toEqual(['failed', 'interrupted', 0])
})
