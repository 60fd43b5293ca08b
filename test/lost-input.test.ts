import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const inputs: unknown[] = []
const options = {
  description: 'Has a secret.',
  effect: 'read',
  secrets: [{ key: 'api_key' }],
  inputSchema: z.object({ text: z.string() }),
  execute: (input: object) => inputs.push(input),
} as const
const tools = [
  defineTool({ name: 'test.later', ...options }),
  defineTool({ name: 'test.asked', ...options, approval: 'always' }),
]
const oldKey = `old:${Buffer.alloc(32, 7).toString('base64')}`

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(database: string, keys: string): Promise<OpenCrib> {
  const folder = await createTempFolder()
  closing.push(folder.remove)
  const data = folder.path
  const env = { TOOLCRIB_MASTER_KEY: keys }
  return openCrib({ cwd: data, data, config: {}, env, database, tools })
}

test('a call whose sealed input can not be opened any more fails alone, and holds up nobody', async () => {
  const { url, drop } = await createTempDatabase()
  closing.push(drop)
  const before = await open(url, oldKey)
  await before.api.writeSecret(owner, { name: 'api_key', value: 'sk_live_4242' })
  const request = { input: { text: 'with sk_live_4242' }, caller: owner }
  const startAt = Date.now() + 1000
  const queued = await before.api.call({ tool: 'test.later', ...request, startAt })
  const asked = await before.api.call({ tool: 'test.asked', ...request })
  await before.close()
  // As if the key of these inputs had been dropped by hand.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `update calls set facts = replace(facts, '"sealedInput":"old ', '"sealedInput":"gone ')`,
  )
  await client.end()

  const crib = await open(url, oldKey)
  closing.push(crib.close)
  const lost = await crib.api.findCall(owner, { id: queued.callId ?? '', wait: 8 })
  expect([lost.status, lost.error?.code]).toEqual(['failed', 'secret_missing'])
  const approve = (more: object) =>
    crib.api.decideApproval(owner, { id: asked.approvalId ?? '', decision: 'approve', ...more })
  await expect(approve({})).rejects.toThrow('can no longer be read')
  await approve({ input: { text: 'written anew' } })
  const call = await crib.api.findCall(owner, { id: asked.callId ?? '', wait: 8 })
  expect([call.status, inputs]).toEqual(['completed', [{ text: 'written anew' }]])
})
