import { afterEach, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { createId } from '../src/core/kernel/ids.ts'
import type { CallStart } from '../src/core/call-log.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const
const hourAgo = Date.now() - 3_600_000
const work = { queue: 'calls', priority: 0 }

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

/** Opens a crib over a call that so many nodes, long gone, had begun one after the other. */
async function openOver(deaths: number, isRepeatable = true): Promise<string> {
  runs = 0
  const store = await freshStore()
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
    isRepeatable,
    timeoutMs: 5000,
    requestedAt: hourAgo,
    work,
    events: [],
  }
  await store.calls.open(start)
  for (let attempt = 0; attempt < deaths; attempt += 1) {
    const from = attempt === 0 ? 'queued' : 'running'
    await store.calls.start('default', start.callId, { from, attempt, events: [] })
  }
  crib = await createTestCrib({ tools: [inner, outer], store })
  return start.callId
}

test('a call from before the crash has its whole time again, also for what it calls', async () => {
  const callId = await openOver(1)
  const call = await crib.api.findCall(owner, { id: callId, wait: 4 })
  expect([call.status, call.output, runs]).toEqual(['completed', 'inner', 1])
})

test('a call that three nodes have taken over and died of is not given to a fourth', async () => {
  const callId = await openOver(4)
  const call = await crib.api.findCall(owner, { id: callId, wait: 4 })
  expect([call.status, call.error?.code, runs]).toEqual(['failed', 'interrupted', 0])
})

test('a call that may not be repeated is not, and says that nobody knows what became of it', async () => {
  const callId = await openOver(1, false)
  const call = await crib.api.findCall(owner, { id: callId, wait: 4 })
  expect([call.status, call.error?.code, runs]).toEqual(['failed', 'outcome_unknown', 0])
})

test('a call that had not begun is run, whatever it does', async () => {
  const callId = await openOver(0, false)
  const call = await crib.api.findCall(owner, { id: callId, wait: 4 })
  expect([call.status, call.output, runs]).toEqual(['completed', 'inner', 1])
})
