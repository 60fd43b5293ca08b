import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { openCrib } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { ToolError } from '../src/core/kernel/errors.ts'
import { settingsFor } from '../src/store/contract/records.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import { openStores, type OpenStores } from '../src/features/open-stores.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const asked = defineTool({
  name: 'test.asked',
  description: 'Needs a person.',
  effect: 'read',
  approval: 'always',
  inputSchema: z.object({}),
  execute: () => 'asked',
})
const asking = defineTool({
  name: 'test.asking',
  description: 'Calls what needs a person.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (_input, { call }) => call('test.asked', {}),
})
const handing = defineTool({
  name: 'test.handing',
  description: 'Is done by somebody outside.',
  effect: 'write',
  execution: 'external',
  inputSchema: z.object({}),
  execute: () => undefined,
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A crib whose database refuses to put calls to wait so often. */
async function openRefusing(times: number) {
  const { url, drop } = await createTempDatabase()
  const folder = await createTempFolder()
  const real = await openStores({ kind: 'postgres', url }, settingsFor())
  let left = times
  const refusing: OpenStores['calls']['wait'] = async (...given) => {
    left -= 1
    if (left >= 0) throw new ToolError('store_unavailable', 'not now')
    return real.calls.wait(...given)
  }
  const store: OpenStores = { ...real, calls: { ...real.calls, wait: refusing } }
  const data = folder.path
  const tools = [asked, asking, handing]
  const crib = await openCrib({ cwd: data, data, config: {}, env: {}, store, tools })
  closing.push(drop, folder.remove, real.close, crib.close)
  return crib.api
}

test.each(['test.asking', 'test.handing'])(
  '%s waits also when the database did not answer at once',
  async (tool) => {
    const api = await openRefusing(2)
    const { callId = '' } = await api.call({ tool, input: {}, caller: owner })
    let status = ''
    for (let looks = 0; looks < 100 && status !== 'waiting'; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      status = (await api.findCall(owner, { id: callId })).status
    }
    const call = await api.findCall(owner, { id: callId })
    expect([call.status, call.attempt]).toEqual(['waiting', 1])
  },
)

test('a call that can not be put to wait ends as failed, and is not left behind as running', async () => {
  const api = await openRefusing(1000)
  const begun = Promise.withResolvers<string>()
  const result = await api.call({
    tool: 'test.asking',
    input: {},
    caller: owner,
    onCall: begun.resolve,
  })
  const call = await api.findCall(owner, { id: await begun.promise, wait: 5 })
  expect([result.status, call.status, call.error?.code]).toEqual([
    'failed',
    'failed',
    'record_failed',
  ])
})
