import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Crib } from 'toolcrib'
import { connectCrib, type RemoteCrib } from 'toolcrib/ai-sdk'
import { createHttpApp } from '../../src/doors/http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../../src/doors/http/serve-http.ts'
import { withAiSdk } from './ai-sdk.ts'
import { withMessages } from './anthropic.ts'
import { withGraph } from './langchain.ts'
import { withMastra } from './mastra.ts'
import { withAgents } from './openai-agents.ts'
import { withChat, withResponses } from './openai.ts'
import { openOrders, refunded, type WithPort } from './orders.ts'
import { type PlayedModel, playModel } from './played-model.ts'

const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

let crib: Crib
let far: Crib
let server: HttpServer
let remote: RemoteCrib
let annasKey: string
let model: PlayedModel
beforeAll(async () => {
  crib = await openOrders()
  far = await openOrders()
  model = await playModel()
  const keyOf = async (...scopes: string[]) =>
    (await far.api.createKey(owner, { name: scopes.join(), scopes })).token
  const app = createHttpApp({ api: far.api, version: '0', onFault: () => undefined })
  server = await serveHttp(app, { port: 0, host: '127.0.0.1' })
  annasKey = await keyOf('approvals.decide')
  remote = connectCrib({ url: server.url, key: await keyOf('tools.call') })
})
afterAll(async () => {
  model.close()
  await server.close()
  await crib.close()
  await far.close()
})
beforeEach(() => void (refunded.length = 0))

const heard = /^Heard: \{"order":"A-7","total":20\} \| \{"refunded":20\}$/

async function check(work: Promise<string>): Promise<void> {
  expect(await work).toMatch(heard)
  expect(refunded).toEqual(['A-7'])
}

test('the AI SDK, in the process of the crib', () =>
  check(withAiSdk(crib, { crib, baseURL: model.url, sessionId: 'here' })))

test('the AI SDK, from another process', () =>
  check(withAiSdk(remote, { crib: far, baseURL: model.url, sessionId: 'there' })))

const withPorts: [name: string, sessionId: string, work: (of: WithPort) => Promise<string>][] = [
  ['the openai package, Responses API', 'responses', (of) => withResponses(of, model.url)],
  ['the openai package, Chat Completions API', 'chat', (of) => withChat(of, model.url)],
  ['the Anthropic package', 'anthropic', (of) => withMessages(of, model.url)],
  ['the OpenAI Agents SDK', 'agents', (of) => withAgents(of, model.url)],
  ['LangChain', 'graph', (of) => withGraph(of)],
  ['Mastra', 'mastra', (of) => withMastra(of, model.url)],
]

describe.each(withPorts)('%s', (_name, sessionId, work) => {
  test('in the process of the crib', () => check(work(crib)))

  test('from another process, over HTTP', async () => {
    const port: WithPort['port'] = ({ approver, sessionId } = {}) =>
      remote.port({
        ...(sessionId !== undefined && { sessionId }),
        ...(approver && { approverKey: annasKey }),
      })
    await check(work({ port }))
    const { items } = await far.api.listCalls(owner, { sessionId, limit: 10 })
    // A read is made again where the same answer of the model is run again.
    const kept = new Set(
      items.map(({ tool, status, principal }) => `${tool} ${status} ${principal.kind}`),
    )
    expect([...kept].toSorted()).toEqual([
      'orders.find completed key',
      'orders.refund completed key',
    ])
  })
})

test('every SDK offered the tools to its model', () => {
  const names = new Set(
    model.offered.map((tools) => tools.filter((name) => name.startsWith('orders')).join()),
  )
  expect([...names]).toEqual(['orders_find,orders_refund'])
})
