import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UIMessageChunk } from 'ai'
import { afterEach, expect, test } from 'vitest'
import { openChat, owner } from './open-chat.ts'

interface Asked {
  store?: boolean
  tools?: { type: string; name?: string }[]
  input: { type?: string; id?: string; role?: string }[]
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** As the Responses API of OpenAI tells that it has searched the web by itself. */
const searched = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: {
    type: 'search',
    query: 'cribs',
    sources: [{ type: 'url', url: 'https://example.com/cribs' }],
  },
}
const response = { id: 'resp_1', created_at: 1, model: 'gpt-x' }
const message = { type: 'message', id: 'msg_1', role: 'assistant' }
const beginning = [
  { type: 'response.created', response },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'web_search_call', id: 'ws_1', status: 'in_progress' },
  },
  { type: 'response.output_item.done', output_index: 0, item: searched },
  { type: 'response.output_item.added', output_index: 1, item: message },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta: 'Found ' },
]
const ending = [
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta: 'cribs.' },
  { type: 'response.output_item.done', output_index: 1, item: message },
  {
    type: 'response.completed',
    response: { ...response, usage: { input_tokens: 7, output_tokens: 3 } },
  },
]

/** Plays the API of OpenAI; its answers end when the test lets them. */
async function startOpenAi() {
  const asked: Asked[] = []
  const mayEnd = Promise.withResolvers<void>()
  async function answer(to: ServerResponse): Promise<void> {
    const say = (event: object) => to.write(`data: ${JSON.stringify(event)}\n\n`)
    to.writeHead(200, { 'content-type': 'text/event-stream' })
    beginning.forEach(say)
    await mayEnd.promise
    ending.forEach(say)
    to.end()
  }
  const server = createServer((request, to) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      asked.push(JSON.parse(body) as Asked)
      void answer(to)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { asked, end: mayEnd.resolve, baseUrl: `http://127.0.0.1:${port}/v1` }
}

async function openFinder() {
  const openAi = await startOpenAi()
  const finder = {
    slug: 'finder',
    model: 'openai/gpt-x',
    tools: { allow: ['test.add'] },
    providerTools: [
      { tool: 'openai.web_search', args: { searchContextSize: 'low' } },
      { tool: 'anthropic.web_search_20250305' },
    ],
  }
  const opened = await openChat(() => ({ text: 'not asked' }), {
    agents: [finder],
    models: { openai: { baseUrl: openAi.baseUrl } },
  })
  closers.unshift(opened.close)
  await opened.api.writeSecret(owner, { name: 'openai_api_key', value: 'sk-made-up' })
  return { ...opened, openAi }
}

/** The chunks of a UI message stream, up to one that the test waits for or to the end. */
function readChunks({ body }: Response) {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const chunks = () =>
    text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as UIMessageChunk)
  return {
    async until(type?: UIMessageChunk['type']): Promise<UIMessageChunk[]> {
      for (;;) {
        const { done, value } = await reader.read()
        text += decoder.decode(value, { stream: true })
        // Only whole lines can be read.
        if (done || (text.endsWith('\n\n') && chunks().some((chunk) => chunk.type === type))) {
          return chunks()
        }
      }
    },
  }
}

const ofTools = (chunks: readonly UIMessageChunk[]) =>
  chunks.filter(({ type }) => type.startsWith('tool-'))

const marked = { toolCallId: 'ws_1', providerExecuted: true }

test('what the provider runs itself is offered to it, and marked as its doing', async () => {
  const { ask, api, openAi, done } = await openFinder()
  const told = readChunks(await ask('/agents/finder/chat', { id: 'c1', message: 'find cribs' }))
  await told.until('text-delta')
  const again = readChunks(await ask('/agents/finder/chat/c1/stream'))
  await again.until('text-delta')
  openAi.end()
  const first = ofTools(await told.until())
  expect(first).toMatchObject([
    { type: 'tool-input-start', toolName: 'web_search', ...marked },
    { type: 'tool-input-available', toolName: 'web_search', ...marked },
    {
      type: 'tool-output-available',
      output: { action: { type: 'search', query: 'cribs' } },
      ...marked,
    },
  ])
  // Whoever comes later reads the same.
  expect(ofTools(await again.until())).toEqual(first)

  expect(openAi.asked).toHaveLength(1)
  const tools = openAi.asked[0]?.tools?.map(({ type, name }) => name ?? type)
  expect(tools?.toSorted()).toEqual(['test_add', 'web_search'])
  expect(openAi.asked[0]?.tools).toContainEqual({ type: 'web_search', search_context_size: 'low' })

  // Nothing of it is a call of ours.
  expect((await api.listCalls(owner, { limit: 10 })).items).toEqual([])
  expect(done).toEqual([])
})

test('tools run by the provider stay marked in the conversation, which continues', async () => {
  const { ask, api, openAi } = await openFinder()
  openAi.end()
  await (await ask('/agents/finder/chat', { id: 'c1', message: 'find cribs' })).text()
  const [conversation] = (await api.listConversations(owner, { limit: 1 })).items
  const { items } = await api.findConversation(owner, { id: conversation?.id ?? '', limit: 10 })
  const parts = items.find(({ role }) => role === 'assistant')?.parts
  expect(parts).toContainEqual(
    expect.objectContaining({
      type: 'tool-web_search',
      state: 'output-available',
      toolCallId: 'ws_1',
      providerExecuted: true,
    }),
  )
  const next = await (await ask('/agents/finder/chat', { id: 'c1', message: 'more' })).text()
  expect(next).toContain('Found ')
  expect(openAi.asked).toHaveLength(2)
  // It is told of its own search as such, not as of a tool of ours.
  const kinds = openAi.asked[1]?.input.map(({ type }) => type)
  expect(kinds).not.toContain('function_call')
  expect(kinds).not.toContain('function_call_output')
})

test('a name that a tool of ours has stays with it', async () => {
  const openAi = await startOpenAi()
  openAi.end()
  const finder = {
    slug: 'finder',
    model: 'openai/gpt-x',
    tools: { allow: ['web.search'] },
    providerTools: [{ tool: 'openai.web_search' }],
  }
  const { ask, api, close } = await openChat(() => ({ text: 'not asked' }), {
    agents: [finder],
    models: { openai: { baseUrl: openAi.baseUrl } },
    config: { packs: { web: true } },
  })
  closers.unshift(close)
  await api.writeSecret(owner, { name: 'openai_api_key', value: 'sk-made-up' })
  await (await ask('/agents/finder/chat', { id: 'c1', message: 'hi' })).text()
  expect(openAi.asked[0]?.tools).toMatchObject([{ type: 'function', name: 'web_search' }])
})

test.each([
  ['opnai.web_search', 'only anthropic, openai, google have tools of their own'],
  ['openai.constructor', 'openai.constructor is not a tool of openai'],
  ['openai.shell', 'openai.shell is not run by openai'],
  ['openai.file_search', 'openai.file_search needs args.vectorStoreIds'],
])('%s can not work, and is said to where agents are listed', async (tool, problem) => {
  const agents = [{ slug: 'finder', model: 'openai/gpt-x', providerTools: [{ tool }] }]
  const { api, close } = await openChat(() => ({ text: 'not asked' }), { agents })
  closers.unshift(close)
  await api.writeSecret(owner, { name: 'openai_api_key', value: 'sk-made-up' })
  const { items } = await api.listChatAgents(owner, { limit: 10 })
  expect(items.find(({ slug }) => slug === 'finder')?.problem).toMatchObject({
    code: 'invalid_config',
    message: expect.stringContaining(problem),
  })
})

test('OpenAI keeps nothing of a conversation, and needs nothing that it kept', async () => {
  const { ask, openAi } = await openFinder()
  openAi.end()
  await (await ask('/agents/finder/chat', { id: 'c1', message: 'find cribs' })).text()
  await (await ask('/agents/finder/chat', { id: 'c1', message: 'more' })).text()
  expect(openAi.asked.map(({ store }) => store)).toEqual([false, false])
  expect(openAi.asked[1]?.input.map(({ type }) => type)).not.toContain('item_reference')
})

test('a tool that the provider does not have is reported as unknown', async () => {
  const openAi = await startOpenAi()
  const finder = {
    slug: 'finder',
    model: 'openai/gpt-x',
    providerTools: [{ tool: 'openai.mind_reading' }],
  }
  const { ask, api, close } = await openChat(() => ({ text: 'not asked' }), {
    agents: [finder],
    models: { openai: { baseUrl: openAi.baseUrl } },
  })
  closers.unshift(close)
  await api.writeSecret(owner, { name: 'openai_api_key', value: 'sk-made-up' })
  const stream = await (await ask('/agents/finder/chat', { id: 'c1', message: 'hi' })).text()
  expect(stream).toContain('openai.mind_reading is not a tool of openai')
  expect(openAi.asked).toEqual([])
})
