import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Crib, defineTool, ToolError, z } from '../src/app/index.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

let losesAnswers: boolean
let effects: number
let crib: Crib
beforeEach(async () => {
  losesAnswers = false
  effects = 0
  crib = await createTestCrib({
    store: forgetful(await freshStore()),
    tools: (['inline', 'background'] as const).map((execution) =>
      defineTool({
        name: `note.${execution}`,
        description: 'Takes effect.',
        effect: 'write',
        execution,
        inputSchema: z.object({}),
        execute: async () => ({ effects: ++effects }),
      }),
    ),
  })
})
afterEach(() => crib.close())

/** A store behind a connection that breaks after a call was written and before that was told. */
function forgetful(store: OpenStores): OpenStores {
  return {
    ...store,
    calls: {
      ...store.calls,
      async open(start) {
        const opened = await store.calls.open(start)
        if (losesAnswers) throw new ToolError('store_unavailable', 'The connection broke')
        return opened
      },
    },
  }
}

test('a refused call that was stored after all ends without running', async () => {
  losesAnswers = true
  const refused = await crib.call('note.inline')
  expect([refused.callId, refused.error?.code]).toEqual([undefined, 'record_failed'])
  losesAnswers = false
  await expect.poll(async () => (await stored()).map(({ status }) => status)).toEqual(['failed'])
  const [call] = await stored()
  expect([call?.error?.code, call?.settledAt !== undefined, effects]).toEqual([
    'record_failed',
    true,
    0,
  ])
  const types: string[] = []
  for await (const event of crib.events({ callId: call?.callId })) types.push(event.type)
  expect([types[0], types.at(-1), types.length]).toEqual(['call.requested', 'call.failed', 3])
})

test('a queued call whose record is confirmed a moment later is accepted, and runs once', async () => {
  losesAnswers = true
  const asked = crib.call('note.background')
  await expect.poll(stored).toHaveLength(1)
  losesAnswers = false
  const { callId, error } = await asked
  expect(error).toBeUndefined()
  await expect.poll(async () => (await stored()).map(({ status }) => status)).toEqual(['completed'])
  expect([(await stored())[0]?.callId, effects]).toEqual([callId, 1])
})

test('callers are not asked to repeat a queued call that another node may run, unless that is harmless', async () => {
  losesAnswers = true
  const [plain, keyed] = await Promise.all([
    crib.call('note.background'),
    crib.call('note.background', {}, { idempotencyKey: 'once' }),
  ])
  losesAnswers = false
  expect(plain.error).toMatchObject({ code: 'record_failed', retryable: false })
  expect((await stored()).map(({ callId }) => callId)).toContain(plain.callId)
  expect(keyed.error).toMatchObject({ code: 'record_failed', retryable: true })
  await crib.call('note.background', {}, { idempotencyKey: 'once' })
  expect([(await stored()).length, effects]).toEqual([2, 2])
})

async function stored() {
  const owner = {
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    permissions: ['*'],
    runtime: 'api',
  } as const
  return (await crib.api.listCalls(owner, { limit: 10 })).items
}
