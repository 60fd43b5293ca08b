import { expect, test } from 'vitest'
import { isToolError } from '../../core/kernel/errors.ts'
import { toModelFailure } from '../turn/model/model-failure.ts'
import { costOf, findByModel } from './cost-of.ts'
import { createModels, type ModelsOptions } from './create-models.ts'
import { parseModelName } from './model-name.ts'
import { modelsSchema } from './models-config.ts'
import { bedrock } from './providers/bedrock.ts'
import { demo } from './providers/demo.ts'
import { openaiCompatible } from './providers/openai-compatible.ts'

const secrets = new Map([['anthropic_api_key', 'sk-tenant']])

function open(name: string, changes: Partial<ModelsOptions> & { tenant?: string } = {}) {
  const { tenant = 'default', ...options } = changes
  return createModels({
    fetch,
    config: modelsSchema.parse({}),
    readSecrets: async (_scope, names) =>
      new Map([...secrets].filter(([key]) => names.includes(key))),
    env: {},
    homeTenant: 'default',
    ...options,
  }).open(name, { tenant })
}

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isToolError(error) ? { code: error.code, fix: error.fix } : error
}

test('model names are read with the slashes of their own', () => {
  expect(parseModelName('demo')).toEqual({ provider: demo, model: 'demo' })
  expect(parseModelName('bedrock/arn:aws/x/y')).toEqual({ provider: bedrock, model: 'arn:aws/x/y' })
  expect(parseModelName('openai-compatible/groq/meta/llama')).toEqual({
    provider: openaiCompatible,
    server: 'groq',
    model: 'meta/llama',
  })
  for (const wrong of ['', 'gpt', 'demo/x', 'openai/', 'openai-compatible/groq', 'acme/model']) {
    expect(() => parseModelName(wrong)).toThrow('is not the name of a model')
  }
})

test('a key comes from the secrets of the tenant', async () => {
  const { model, provider, name } = await open('anthropic/claude-x')
  expect({ provider: provider.id, name, id: model.modelId }).toEqual({
    provider: 'anthropic',
    name: 'anthropic/claude-x',
    id: 'claude-x',
  })
})

test('a missing key is reported with a fix', async () => {
  expect(await refusal(open('openai/gpt-x'))).toEqual({
    code: 'secret_missing',
    fix: 'Run: toolcrib secrets set openai_api_key',
  })
})

test('a key of the environment is for the home tenant, unless configuration gives it to all', async () => {
  const env = { OPENAI_API_KEY: 'sk-machine' }
  expect((await open('openai/gpt-x', { env })).provider.id).toBe('openai')
  expect(await refusal(open('openai/gpt-x', { env, tenant: 'acme' }))).toMatchObject({
    code: 'secret_missing',
  })
  const config = modelsSchema.parse({ openai: { apiKey: 'env:OPENAI_API_KEY' } })
  expect((await open('openai/gpt-x', { env, config, tenant: 'acme' })).provider.id).toBe('openai')
})

test('a key itself is refused in the configuration', () => {
  expect(modelsSchema.safeParse({ openai: { apiKey: 'sk-123' } }).success).toBe(false)
})

test('an unknown compatible server is named in the error', async () => {
  expect(await refusal(open('openai-compatible/groq/llama'))).toMatchObject({
    code: 'invalid_config',
  })
})

test('costs count what was cached at its own price, by the longest pattern that fits', () => {
  const price = { input: 3, output: 15, cachedInput: 0.3 }
  const table = { 'anthropic/*': { input: 1, output: 1 }, 'anthropic/claude-*': price }
  expect(findByModel(table, 'anthropic/claude-x')).toBe(price)
  expect(findByModel(table, 'openai/gpt')).toBeUndefined()
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cachedInputTokens: 500_000,
    cacheWriteTokens: 0,
  }
  expect(costOf(usage, price)).toBeCloseTo(1.5 + 0.15 + 1.5)
  expect(costOf(usage, undefined)).toBeUndefined()
})

test("the key in a provider's error message is hidden", async () => {
  const { hideKeys, name } = await open('anthropic/claude-x')
  const said = new Error('Incorrect API key provided: sk-tenant')
  const { message } = toModelFailure(said, { name, hideKeys })
  expect(message).toBe(
    'The model anthropic/claude-x gave no answer: Incorrect API key provided: [redacted:apiKey]',
  )
})
