import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isReadable } from '../turn/context/readable-media.ts'
import { askModel } from '../turn/model/model-step.ts'
import type { TurnLimits } from '../turn/turn-ports.ts'
import { createModels } from './create-models.ts'
import { parseModelName } from './model-name.ts'
import { toModelsSchema } from './models-config.ts'
import { type ProviderConnection, defineProvider } from './provider.ts'
import { providerSettings } from './provider-settings.ts'
import { providers } from './providers.ts'

const opened: ProviderConnection[] = []

/** All that a provider takes besides its line in the list and its package. */
const acme = defineProvider({
  id: 'acme',
  modelPath: '/<model>',
  section: {
    key: 'acme',
    description: 'Acme: models acme/…',
    settings: providerSettings.extend({ zone: z.string() }),
  },
  keys: { names: ['apiKey'], defaults: ['secret:acme_key'] },
  async open(connection) {
    opened.push(connection)
    return (modelId) => answering(`${modelId} in ${connection.settings.zone}`)
  },
  outputMedia: 'none',
  messageMedia: ['image/png'],
  options: { region: 'moon' },
  pauseReason: 'later',
  dropsForbiddenTools: true,
  readEarlyUsage: ({ read }) => (typeof read === 'number' ? { inputTokens: read } : undefined),
})
const known = [...providers, acme]

function answering(text: string) {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          { type: 'text-end', id: 't' },
          {
            type: 'finish',
            finishReason: { unified: 'other', raw: 'later' },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
          },
        ],
      }),
    }),
  })
}

function createKnown() {
  return createModels({
    fetch,
    config: toModelsSchema(known).parse({ acme: { zone: 'north', headers: { 'x-team': 'crib' } } }),
    readSecrets: async () => new Map([['acme_key', 'k']]),
    env: {},
    homeTenant: 'default',
    providers: known,
  })
}

test('a provider is configured, opened and asked by its object alone', async () => {
  const chosen = await createKnown().open('acme/rocket', { tenant: 'default' })
  expect(opened).toEqual([
    {
      name: 'acme',
      settings: { zone: 'north', headers: { 'x-team': 'crib' } },
      keys: { apiKey: 'k' },
      request: { headers: { 'x-team': 'crib' }, fetch: expect.any(Function) },
    },
  ])
  const limits = { firstMs: 9000, againMs: 9000, modelMs: 9000, chunkMs: 9000, modelRetries: 0 }
  let text = ''
  const { isPaused } = await askModel({
    chosen,
    instructions: '',
    messages: [{ role: 'user', content: 'hello' }],
    tools: {},
    mayCall: true,
    signal: new AbortController().signal,
    limits: { ...limits, answerChars: 1000 } as TurnLimits,
    takenIds: new Set(),
    write: ({ delta }) => void (text += typeof delta === 'string' ? delta : ''),
    onCut: () => undefined,
  })
  expect({ text, isPaused }).toEqual({ text: 'rocket in north', isPaused: true })
})

test('its settings are checked, and its files are known', () => {
  expect(toModelsSchema(known).safeParse({ acme: {} }).success).toBe(false)
  const { provider } = parseModelName('acme/rocket', known)
  const types = ['text/csv', 'image/png', 'application/pdf']
  expect(types.filter((type) => isReadable(type, provider))).toEqual(types.slice(0, 2))
})

test('no other file of the agents names a provider', () => {
  const agents = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(agents, { recursive: true, encoding: 'utf8' })
  const others = files.filter(
    (path) =>
      path.endsWith('.ts') &&
      !path.endsWith('.test.ts') &&
      !/^models\/(?:providers|demo)\//.test(path),
  )
  expect(others.length).toBeGreaterThan(50)
  const spelled = new RegExp(`'(?:${providers.map(({ id }) => id).join('|')})'|@ai-sdk/`)
  const text = (path: string) => readFileSync(`${agents}/${path}`, 'utf8')
  expect(others.filter((path) => spelled.test(text(path)))).toEqual([])
})
