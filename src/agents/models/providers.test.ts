import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModels } from './create-models.ts'
import { modelsSchema } from './models-config.ts'

/** Every provider's API as far as one answer goes, in its own words. */
const answers: Record<string, unknown> = {
  '/anthropic/messages': {
    type: 'message',
    id: 'msg_1',
    model: 'claude-x',
    role: 'assistant',
    content: [{ type: 'text', text: 'from anthropic' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 7, output_tokens: 3 },
  },
  '/openai/responses': {
    id: 'resp_1',
    created_at: 1,
    model: 'gpt-x',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'from openai', annotations: [] }],
      },
    ],
    usage: { input_tokens: 7, output_tokens: 3 },
  },
  '/google/models/gemini-x:generateContent': {
    candidates: [
      { content: { role: 'model', parts: [{ text: 'from google' }] }, finishReason: 'STOP' },
    ],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
  },
  '/bedrock/model/nova-x/converse': {
    output: { message: { role: 'assistant', content: [{ text: 'from bedrock' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 },
  },
  '/groq/chat/completions': {
    id: 'c1',
    created: 1,
    model: 'llama',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'from groq' } },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  },
}

const seen = new Map<string, IncomingHttpHeaders>()
const server = createServer((request, response) => {
  const path = request.url ?? ''
  seen.set(path, request.headers)
  const answer = answers[path]
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer ?? { error: { message: `nothing at ${path}` } }))
})
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const cases = [
  ['anthropic/claude-x', '/anthropic/messages', 'x-api-key', 'key of anthropic'],
  ['openai/gpt-x', '/openai/responses', 'authorization', 'Bearer key of openai'],
  ['google/gemini-x', '/google/models/gemini-x:generateContent', 'x-goog-api-key', 'key of google'],
  ['bedrock/nova-x', '/bedrock/model/nova-x/converse', 'authorization', 'Bearer key of bedrock'],
  ['openai-compatible/groq/llama', '/groq/chat/completions', 'authorization', 'Bearer key of groq'],
] as const

test.each(cases)('%s is asked at its configured address with its key', async (...row) => {
  const [name, path, header, value] = row
  const keyed = (provider: string) => ({
    baseUrl: `${url}/${provider}`,
    apiKey: `secret:${provider}_key`,
    headers: { 'x-team': 'crib' },
  })
  const models = createModels({
    fetch,
    config: modelsSchema.parse({
      anthropic: keyed('anthropic'),
      openai: keyed('openai'),
      google: keyed('google'),
      bedrock: { ...keyed('bedrock'), region: 'eu-central-1' },
      compatible: { groq: keyed('groq') },
    }),
    readSecrets: async (_scope, names) =>
      new Map(names.map((key) => [key, `key of ${key.replace('_key', '')}`])),
    env: {},
    homeTenant: 'default',
  })
  const { model } = await models.open(name, { tenant: 'acme' })
  const { text, usage } = await generateText({ model, prompt: 'hello', maxRetries: 0 })
  expect(text).toBe(`from ${name.split('/').at(-2)}`)
  expect({ input: usage.inputTokens, output: usage.outputTokens }).toEqual({ input: 7, output: 3 })
  expect(seen.get(path)?.[header]).toBe(value)
  expect(seen.get(path)?.['x-team']).toBe('crib')
})
