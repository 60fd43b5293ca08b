import { expect, test } from 'vitest'
import type { Run } from '../../src/core/conversations/conversation-api.ts'
import type { Script } from './fake-model.ts'
import { serveHttp } from '../../src/doors/http/serve-http.ts'
import { closingChats, type openChat } from './open-chat.ts'

const openOne = closingChats()

/** Runs a turn to its end; gives the run, what was streamed, and how often the model was asked. */
async function runOnce(script: Script, more: Parameters<typeof openChat>[1] = {}) {
  const opened = await openOne(script, more)
  const { ask, model } = opened
  const answer = await ask('/agents/helper/chat', { id: 'c1', message: 'go' })
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: {'))
  const chunks = lines.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
  const run = (await (await ask(`/runs/${answer.headers.get('x-run-id')}`)).json()) as Run
  const detail = await (await ask(`/conversations/${run.conversationId}`)).json()
  const { items } = detail as { items: { metadata?: unknown }[] }
  const metadata = items.at(-1)?.metadata
  return { run, finish: chunks.at(-1), metadata, asked: model.requests.length }
}

test.each([
  ['length', 'length'],
  ['content_filter', 'content-filter'],
])(
  'an answer that ends by %s says so, in the stream and in what is stored',
  async (reason, told) => {
    const { run, finish, metadata } = await runOnce(() => ({ text: 'half an', finish: reason }))
    expect(run).toMatchObject({ status: 'completed', output: 'half an', finishReason: told })
    expect(finish).toMatchObject({ finishReason: told, messageMetadata: { finishReason: told } })
    expect(metadata).toEqual({ finishReason: told })
  },
)

test.each([
  ['tool_calls', true],
  ['stop', true],
  // As Text Generation Inference says it.
  ['eos_token', true],
  ['length', false],
  ['content_filter', false],
])('calls of an answer that ends with %s are made: %s', async (finish, isMade) => {
  const calls = [{ name: 'test_add', input: { n: 1 } }]
  const opened = await openOne((_, number) => (number === 1 ? { calls, finish } : { text: 'so' }))
  await (await opened.ask('/agents/helper/chat', { id: 'c1', message: 'go' })).text()
  expect(opened.done).toEqual(isMade ? [['add', 1]] : [])
})

test('what a provider does not say that an answer took is guessed', async () => {
  const { run } = await runOnce(() => ({ text: 'word '.repeat(40), hasNoUsage: true }))
  expect(run.usage).toMatchObject({ modelCalls: 1, outputTokens: 50 })
  expect(run.usage.inputTokens).toBeGreaterThan(10)
})

test('an answer that ends by itself has nothing to say about that', async () => {
  const { run, finish, metadata } = await runOnce(() => ({ text: 'all of it' }))
  expect([run.finishReason, finish?.['finishReason'], metadata]).toEqual([
    undefined,
    'stop',
    undefined,
  ])
})

test.each([
  ['stop', true, /ended without a word/],
  ['length', true, /cut off by the length limit/],
  ['content_filter', false, /withheld by the provider/],
])('nothing at all (%s) is no answer', async (finish, retryable, message) => {
  const { run } = await runOnce(() => ({ text: '', finish }))
  expect(run).toMatchObject({ status: 'failed', error: { code: 'model_failed', retryable } })
  expect(run.error?.message).toMatch(message)
})

test('a broken answer of a provider is reported as retryable', async () => {
  const { run } = await runOnce(() => ({ cut: 'half an ' }))
  expect(run).toMatchObject({
    status: 'failed',
    output: 'half an ',
    error: { code: 'model_failed', retryable: true },
  })
  expect(run.error?.message).toMatch(/broke off in the middle of its answer/)
})

test('a provider that accepts the request and stays silent is asked again', async () => {
  const limits = { modelFirstMs: 1000 }
  const once = await runOnce((_, number) => (number === 1 ? { hang: true } : { text: 'here' }), {
    limits,
  })
  expect(once).toMatchObject({ asked: 2, run: { status: 'completed', output: 'here' } })
  const never = await runOnce(() => ({ hang: true }), { limits })
  expect(never).toMatchObject({
    asked: 2,
    run: { status: 'failed', error: { code: 'model_failed', retryable: true } },
  })
  expect(never.run.error?.message).toMatch(/did not begin to answer in 1 s/)
})

test('a provider that opens its answer and stays silent is asked again, too', async () => {
  const limits = { modelChunkMs: 1000 }
  const once = await runOnce((_, number) => (number === 1 ? { pause: '' } : { text: 'here' }), {
    limits,
  })
  expect(once).toMatchObject({ asked: 2, run: { status: 'completed', output: 'here' } })
  const never = await runOnce(() => ({ pause: '' }), { limits })
  expect(never).toMatchObject({ asked: 2, run: { status: 'failed' } })
  expect(never.run.error).toMatchObject({
    code: 'model_failed',
    message: expect.stringContaining('did not begin to answer in 1 s'),
    fix: expect.stringContaining('limits.modelChunkMs'),
  })
})

test('a provider that announces a wait is not taken for a silent one', async () => {
  const { run, asked } = await runOnce(() => ({ text: 'my turn', queuedMs: 2500 }), {
    limits: { modelChunkMs: 1000 },
  })
  expect([asked, run.status, run.output]).toEqual([1, 'completed', 'my turn'])
})

test('a provider that asks for patience is not taken for one that is silent', async () => {
  const later = { status: 429, headers: { 'retry-after-ms': '700' } }
  const { run, asked } = await runOnce(() => later, { limits: { modelFirstMs: 1000 } })
  expect([asked, run.status]).toEqual([4, 'failed'])
  expect(run.error?.message).toMatch(/it answered 429/)
})

test('what a provider would refuse again is not to be tried again', async () => {
  const { run, asked } = await runOnce(() => ({ status: 400 }))
  expect([asked, run.error]).toMatchObject([
    1,
    { code: 'model_failed', retryable: false, fix: expect.not.stringContaining('Try again') },
  ])
})

test('a server that stops breaks the stream off: half an answer does not pass for the whole', async () => {
  const opened = await openOne(() => ({ text: 'one two three four five six', delayMs: 300 }))
  const server = await serveHttp(opened.app, { port: 0, drainMs: 2000 })
  const answer = await fetch(`${server.url}/api/v1/agents/helper/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${opened.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c1', message: 'go' }),
  })
  let text = ''
  const reading = (async () => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString()
  })()
  const broken = reading.catch((error: unknown) => String(error))
  await expect.poll(() => text).toMatch(/two/)
  await server.close()
  expect(await broken).toContain('terminated')
  expect(text).not.toMatch(/\[DONE\]|"finish"/)
})
