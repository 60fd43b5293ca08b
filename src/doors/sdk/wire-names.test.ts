import { generateText, type ModelMessage } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { defineTool } from '../../core/define-tool.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { openTestStore } from '../../testing/open-test-store.ts'
import type { OpenStores } from '../../features/open-stores.ts'
import { toToolPort } from '../../core/to-tool-port.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import { toOpenAI } from './adapters/to-openai.ts'
import { createToolSet } from './create-tool-set.ts'
import { callTools, playModel, sayText } from './testing/play-model.ts'

const ran: string[] = []
const owner = ownerOf()
let store: OpenStores
let before: Crib
let after: Crib
let without: Crib

function remove(name: string, approval: 'always' | 'auto' = 'always') {
  return defineTool({
    name,
    description: 'Removes something.',
    effect: 'destructive',
    approval,
    inputSchema: z.object({ id: z.string() }),
    execute: ({ id }) => {
      ran.push(`${name} ${id}`)
      return { removed: id }
    },
  })
}

// `a.b_c` comes first in the order of names, and takes `a_b_c` from the tool that had it.
beforeAll(async () => {
  store = await openTestStore()
  const config = {
    agents: [
      { slug: 'searcher', model: 'demo', toolMode: 'search' as const, tools: { allow: ['*'] } },
    ],
  }
  before = await createTestCrib({ store, config, tools: [remove('a_b.c')] })
  after = await createTestCrib({ store, config, tools: [remove('a_b.c'), remove('a.b_c')] })
  without = await createTestCrib({
    store,
    config,
    tools: [remove('a_b.c'), remove('a.b_c', 'auto')],
  })
})
afterAll(async () => {
  await without.close()
  await after.close()
  await before.close()
  await store.close()
})

const pending = async () =>
  (await after.api.listApprovals(owner, { status: 'pending', limit: 9 })).items

test.each([
  ['another', () => after],
  ['one that needs no approval', () => without],
])('a call that waited is found again when its name has become that of %s', async (kind, then) => {
  ran.length = 0
  const options = { sessionId: kind }
  const go: ModelMessage = { role: 'user', content: 'go' }
  const first = await before.toolSet(options)
  const model = playModel([callTools({ id: 'c', call: ['a_b_c', { id: '1' }] })])
  const { tools, toolApproval } = first
  const asked = await generateText({ model, tools, toolApproval, messages: [go] })
  const history = [go, ...asked.responseMessages]

  const set = await then().toolSet(options)
  expect(set.tools['a_b_c']?.metadata).toMatchObject({ name: 'a.b_c' })
  expect((await set.resume(history)).waiting).toHaveLength(1)
  const [approval] = await pending()
  expect(approval?.tool).toBe('a_b.c')
  await after.api.decideApproval(owner, { id: approval?.id ?? '', decision: 'approve' })
  const { messages, waiting } = await set.resume(history)
  const end = await generateText({ ...set, model: playModel([sayText('ok')]), messages })
  expect([waiting, await pending(), ran]).toEqual([[], [], ['a_b.c 1']])
  expect(JSON.stringify(end.responseMessages)).toContain('"removed":"1"')
})

test('so it is for SDKs that are given the same answer of the model again', async () => {
  ran.length = 0
  const output = [
    { type: 'function_call', name: 'a_b_c', call_id: 'd', arguments: '{"id":"2"}' } as never,
  ]
  const run = async ({ api }: Crib) => {
    const open = await toOpenAI(toToolPort(api, { ...owner, sessionId: 'again' }), { runId: 'r' })
    return open.run({ output })
  }
  const { waiting } = await run(before)
  expect((await run(after)).waiting).toEqual(waiting)
  await after.api.decideApproval(owner, { id: waiting[0]?.approvalId ?? '', decision: 'approve' })
  expect((await run(after)).items).toMatchObject([{ output: '{"removed":"2"}' }])
  expect([await pending(), ran]).toEqual([[], ['a_b.c 2']])
})

test('a name keeps the meaning it had for the model until the run is over', async () => {
  ran.length = 0
  const as = { agent: 'searcher', sessionId: 'changes hands' }
  await before.call('tools.describe', { names: ['a_b.c'] }, as)
  let crib = before
  const ports = () => toToolPort(crib.api, { ...owner, ...as })
  const port: ToolPort = {
    ...ports(),
    offer: () => ports().offer(),
    findTool: (name) => ports().findTool(name),
    call: (request) => ports().call(request),
    ask: (request) => ports().ask(request),
  }
  const set = await createToolSet(port, { runId: 'set' })
  const open = await toOpenAI(port, { runId: 'open' })
  crib = after
  await after.call('tools.describe', { names: ['a.b_c'] }, as)
  await set.prepareStep()
  const toolCall = { toolName: 'a_b_c', toolCallId: 'c', input: { id: '3' } }
  expect(await set.toolApproval({ toolCall })).toMatchObject({
    reason: expect.stringMatching(/^a_b\.c /),
  })
  const item = { type: 'function_call', name: 'a_b_c', arguments: '{"id":"4"}' }
  await open.run({ output: [{ ...item, call_id: 'd' } as never] })
  await open.run({ output: [{ ...item, call_id: 'e' } as never] })
  const asked = await pending()
  expect(asked.map(({ tool }) => tool)).toEqual(['a_b.c', 'a_b.c', 'a_b.c'])
})

test('a call that was asked about waits for its answer, even if its tool would not ask any more', async () => {
  ran.length = 0
  const options = { sessionId: 'loosened', approver: { user: 'anna' } }
  const go: ModelMessage = { role: 'user', content: 'go' }
  const first = await after.toolSet(options)
  const model = playModel([callTools({ id: 'c', call: ['a_b_c', { id: '5' }] })])
  const asked = await generateText({ ...first, model, messages: [go] })
  const history = [go, ...asked.responseMessages]

  const set = await without.toolSet(options)
  const { messages, waiting } = await set.resume(history)
  await generateText({ ...set, model: playModel([sayText('ok')]), messages }).catch(() => undefined)
  const { items } = await after.api.listApprovals(owner, { limit: 50 })
  const own = items.find(({ sessionId }) => sessionId === 'loosened')
  expect([own?.status, own?.decisions, ran, waiting.length]).toEqual(['pending', [], [], 1])
})

test('a set that is given the names of the set before keeps them with their tools', async () => {
  const { wireNames } = await before.toolSet({ sessionId: 'kept' })
  expect(wireNames).toMatchObject({ a_b_c: 'a_b.c' })
  const usual = await after.toolSet({ sessionId: 'kept' })
  expect(usual.wireNames['a_b_c']).toBe('a.b_c')
  const kept = await after.toolSet({ sessionId: 'kept', wireNames })
  expect(kept.wireNames['a_b_c']).toBe('a_b.c')
  expect(kept.tools['a_b_c']?.metadata).toMatchObject({ name: 'a_b.c' })
  expect(Object.values(kept.wireNames).sort()).toEqual(Object.values(usual.wireNames).sort())
})
