import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Crib } from 'toolcrib'
import { connectCrib } from 'toolcrib/ai-sdk'
import { createHttpApp } from '../../src/surfaces/http/create-http-app.ts'
import { withAiSdk } from './ai-sdk.ts'
import { withMessages } from './anthropic.ts'
import { withGraph } from './langchain.ts'
import { withMastra } from './mastra.ts'
import { withAgents } from './openai-agents.ts'
import { withChat, withResponses } from './openai.ts'
import { openOrders, refunded } from './orders.ts'
import { type PlayedModel, playModel } from './played-model.ts'

let crib: Crib
let model: PlayedModel
beforeAll(async () => {
  crib = await openOrders()
  model = await playModel()
})
afterAll(async () => {
  model.close()
  await crib.close()
})
beforeEach(() => void (refunded.length = 0))

const heard = /^Heard: \{"order":"A-7","total":20\} \| \{"refunded":20\}$/

async function check(work: Promise<string>): Promise<void> {
  expect(await work).toMatch(heard)
  expect(refunded).toEqual(['A-7'])
}

test('the AI SDK, in the process of the crib', () =>
  check(withAiSdk(crib, { crib, baseURL: model.url, sessionId: 'here' })))

test('the AI SDK, from another process', async () => {
  const owner = { tenant: 'default', principal: { kind: 'user' as const, id: 'owner' } }
  const caller = { ...owner, permissions: ['*'], runtime: 'api' as const }
  const { token } = await crib.api.createKey(caller, { name: 'agent', scopes: ['tools.call'] })
  const app = createHttpApp({ api: crib.api, version: '0', onFault: () => undefined })
  const fetch = (async (input, init) => app.request(input, init)) as typeof globalThis.fetch
  const remote = connectCrib({ url: 'http://crib.test', key: token, fetch })
  await check(withAiSdk(remote, { crib, baseURL: model.url, sessionId: 'there' }))
})

test('the openai package, Responses API', () => check(withResponses(crib, model.url)))
test('the openai package, Chat Completions API', () => check(withChat(crib, model.url)))
test('the Anthropic package', () => check(withMessages(crib, model.url)))
test('the OpenAI Agents SDK', () => check(withAgents(crib, model.url)))
test('LangChain', () => check(withGraph(crib)))
test('Mastra', () => check(withMastra(crib, model.url)))

test('every SDK offered the tools to its model', () => {
  const names = new Set(
    model.offered.map((tools) => tools.filter((name) => name.startsWith('orders')).join()),
  )
  expect([...names]).toEqual(['orders_find,orders_refund'])
})
