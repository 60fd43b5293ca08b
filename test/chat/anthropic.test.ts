import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closingChats, owner } from './open-chat.ts'

const openOne = closingChats()

interface Asked {
  messages: { role: string; content: { type: string }[] }[]
}

type Block = { type: string; deltas?: readonly object[]; [key: string]: unknown }

function say(to: ServerResponse, blocks: readonly Block[], stop: string): void {
  const tell = (event: Block) =>
    to.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const usage = { input_tokens: 7, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', usage }
  to.writeHead(200, { 'content-type': 'text/event-stream' })
  tell({ type: 'message_start', message: { ...message, content: [], stop_reason: null } })
  for (const [index, { deltas = [], ...block }] of blocks.entries()) {
    tell({ type: 'content_block_start', index, content_block: block })
    for (const delta of deltas) tell({ type: 'content_block_delta', index, delta })
    tell({ type: 'content_block_stop', index })
  }
  tell({ type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 3 } })
  tell({ type: 'message_stop' })
  to.end()
}

const searching = {
  type: 'server_tool_use',
  id: 'srv_1',
  name: 'web_search',
  input: {},
  deltas: [{ type: 'input_json_delta', partial_json: '{"query":"cribs"}' }],
}
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srv_1',
  content: [
    {
      type: 'web_search_result',
      url: 'https://example.com/cribs',
      title: 'Cribs',
      encrypted_content: 'x',
      page_age: null,
    },
  ],
}
const text = (words: string) => ({
  type: 'text',
  text: '',
  deltas: [{ type: 'text_delta', text: words }],
})

const thinking = {
  type: 'thinking',
  thinking: '',
  deltas: [
    { type: 'thinking_delta', thinking: 'Let me see.' },
    { type: 'signature_delta', signature: 'signed' },
  ],
}

type Answer = readonly [blocks: readonly Block[], stop: string]

/** Plays the API of Anthropic, answer by answer. */
async function startAnthropic(answers: readonly Answer[]) {
  const asked: Asked[] = []
  const server = createServer((request, to) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const [blocks, stop] = answers[asked.length] ?? [[], 'end_turn']
      asked.push(JSON.parse(body) as Asked)
      say(to, blocks, stop)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { asked, baseUrl: `http://127.0.0.1:${port}` }
}

async function runFinder(answers: readonly Answer[], model = 'anthropic/claude-opus-4-5') {
  const { asked, baseUrl } = await startAnthropic(answers)
  const providerTools = [{ tool: 'anthropic.web_search_20250305' }]
  const finder = { slug: 'finder', model, tools: { allow: [] } }
  const warnings: string[] = []
  const { ask, api } = await openOne(() => ({ text: 'not asked' }), {
    agents: [{ ...finder, providerTools }],
    models: { anthropic: { baseUrl } },
    onWarning: (message) => void warnings.push(message),
  })
  await api.writeSecret(owner, { name: 'anthropic_api_key', value: 'sk-made-up' })
  const start = async (body: object) => {
    const started = await ask('/agents/finder/runs', body)
    const { id } = (await started.json()) as { id: string }
    return api.findRun(owner, { id, wait: 60 })
  }
  const run = await start({ prompt: 'look' })
  const { conversationId } = run
  const { items } = await api.findConversation(owner, { id: conversationId, limit: 10 })
  const goOn = () => start({ prompt: 'and?', conversationId })
  return { asked, run, parts: items[1]?.parts, goOn, warnings }
}

test('a provider that pauses during its own work is continued', async () => {
  const { asked, run, parts } = await runFinder([
    [[searching], 'pause_turn'],
    [[found, text('Found cribs.')], 'end_turn'],
  ])
  expect(run).toMatchObject({ status: 'completed', steps: 2, output: 'Found cribs.' })
  const [, second] = asked
  expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(second?.messages[1]?.content).toMatchObject([{ type: 'server_tool_use', id: 'srv_1' }])
  const calls = (parts as Block[]).filter(({ toolCallId }) => toolCallId !== undefined)
  expect(calls).toMatchObject([{ toolCallId: 'srv_1', state: 'output-available' }])
})

test('what a provider was cut off from is not sent back to it', async () => {
  const { asked, run, goOn } = await runFinder([
    [[searching], 'max_tokens'],
    [[text('Never mind.')], 'end_turn'],
  ])
  expect(run).toMatchObject({ status: 'completed', finishReason: 'length' })
  expect(await goOn()).toMatchObject({ status: 'completed', output: 'Never mind.' })
  expect(JSON.stringify(asked[1]?.messages)).not.toContain('srv_1')
})

test('a thought that nothing came of is not sent back, others are', async () => {
  const { asked, run, goOn } = await runFinder([
    [[thinking], 'max_tokens'],
    [[thinking, text('Here.')], 'end_turn'],
    [[text('Yes.')], 'end_turn'],
  ])
  expect(run).toMatchObject({ status: 'failed', error: { code: 'model_failed' } })
  expect(await goOn()).toMatchObject({ status: 'completed', output: 'Here.' })
  expect(JSON.stringify(asked[1]?.messages)).not.toContain('thinking')
  expect(await goOn()).toMatchObject({ status: 'completed', output: 'Yes.' })
  const answer = asked[2]?.messages.find(({ role }) => role === 'assistant')
  expect(answer?.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
})

test('notes of a provider, and line breaks, are no answer', async () => {
  const { run } = await runFinder([[[text('\n')], 'end_turn']])
  expect(run).toMatchObject({ status: 'failed', error: { code: 'model_failed' } })
})

test('what a provider warns of is said once, and where the crib says such things', async () => {
  const elsewhere: string[] = []
  const listen = ({ message }: Error) => void elsewhere.push(message)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  const answer: Answer = [[text('Here.')], 'end_turn']
  const { goOn, warnings } = await runFinder([answer, answer], 'anthropic/claude-x')
  expect(await goOn()).toMatchObject({ status: 'completed' })
  expect(warnings).toEqual([
    expect.stringMatching(/^anthropic\/claude-x: maxOutputTokens .*"claude-x" is unknown/),
  ])
  expect(elsewhere).toEqual([])
})
