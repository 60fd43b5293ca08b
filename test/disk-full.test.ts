import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Crib, type CribEvent, defineTool, z } from '../src/app/index.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createHttpApp } from '../src/doors/http/create-http-app.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

let isFull = false
let effects = 0
let crib: Crib
let warnings: string[]

const tools = [
  defineTool({
    name: 'disk.read',
    description: 'Reads something that needs no disk.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => ({ ok: true }),
  }),
  defineTool({
    name: 'disk.write',
    description: 'Has an effect that is counted.',
    effect: 'write',
    inputSchema: z.object({ fillsTheDisk: z.boolean().nullable() }),
    execute({ fillsTheDisk }) {
      effects += 1
      if (fillsTheDisk) isFull = true
      return { effects }
    },
  }),
]

/** A store whose log has no room while `isFull`: what PGlite and PostgreSQL do when a write fails. */
async function openFillingStore(): Promise<OpenStores> {
  const store = await freshStore()
  const guard = async (): Promise<void> => {
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  const { calls } = store
  return {
    ...store,
    calls: {
      ...calls,
      open: async (start) => guard().then(() => calls.open(start)),
      settle: async (settlement) => guard().then(() => calls.settle(settlement)),
      recordWhole: async (start, end) => guard().then(() => calls.recordWhole(start, end)),
    },
  }
}

beforeEach(async () => {
  isFull = false
  effects = 0
  warnings = []
  crib = await createTestCrib({
    tools,
    store: await openFillingStore(),
    onWarning: (message) => warnings.push(message),
  })
})
afterEach(() => crib.close())

async function events(callId: string | undefined): Promise<string[]> {
  const all: CribEvent[] = []
  for await (const event of crib.events({ callId })) all.push(event)
  return all.map((event) => event.type)
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('It did not happen in time')
}

test('a call with an effect is refused and its tool does not run', async () => {
  isFull = true
  const result = await crib.call('disk.write')
  expect([result.callId, result.status, result.error?.code]).toEqual([
    undefined,
    'failed',
    'record_failed',
  ])
  expect(effects).toBe(0)
  isFull = false
  expect((await crib.call('disk.write')).output).toEqual({ effects: 1 })
})

test('a read answers, is kept, and is on record once there is room again', async () => {
  isFull = true
  const { callId, status } = await crib.call('disk.read')
  expect([status, await events(callId)]).toEqual(['completed', []])
  isFull = false
  await until(async () => (await events(callId)).length === 3)
  expect(await events(callId)).toEqual(['call.requested', 'call.started', 'call.completed'])
  expect(warnings.join()).toMatch(/no space left/)
})

test('a call whose end finds the disk full is not confirmed, and settles when there is room', async () => {
  const result = await crib.call('disk.write', { fillsTheDisk: true })
  expect([result.status, result.error?.code, effects]).toEqual(['failed', 'record_failed', 1])
  isFull = false
  await until(async () => (await events(result.callId)).includes('call.completed'))
})

test('over HTTP a read that can not be recorded is not acknowledged, and the server stays healthy', async () => {
  const app = createHttpApp({ api: crib.api, version: 'test' })
  const owner = {
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    permissions: ['*'],
    runtime: 'api',
  } as const
  const { token } = await crib.api.createKey(owner, { name: 'test', scopes: ['tools.call'] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = () =>
    app.request('/api/v1/tools/disk.read/calls', { method: 'POST', headers, body: '{"input":{}}' })
  isFull = true
  const refused = await call()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ code: 'record_failed', retryable: true })
  expect((await app.request('/healthz')).status).toBe(200)
  isFull = false
  expect(await (await call()).json()).toMatchObject({ status: 'completed', output: { ok: true } })
})
