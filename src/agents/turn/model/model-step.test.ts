import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonSchema, tool, type ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { createModels } from '../../models/create-models.ts'
import { modelsSchema } from '../../models/models-config.ts'
import { askModel } from './model-step.ts'
import type { TurnLimits } from '../turn-ports.ts'

/**
 * A provider that refuses everything, or is silent; records its requests and how long each stayed
 * open.
 */
async function startServer(isSilent = false) {
  const bodies: string[] = []
  const stayedMs: number[] = []
  const server = createServer((request, response) => {
    const at = performance.now()
    response.on('close', () => stayedMs.push(performance.now() - at))
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      bodies.push(body)
      if (isSilent) return
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => void server.close()
  return { bodies, stayedMs, baseUrl: `http://127.0.0.1:${port}`, close }
}

async function ask(kind: (typeof providers)[number], baseUrl: string, limits: object = {}) {
  const config = modelsSchema.parse({
    [kind]: { baseUrl, apiKey: 'env:KEY', ...(kind === 'bedrock' && { region: 'eu-west-1' }) },
  })
  const readSecrets = async () => new Map<string, string>()
  const env = { KEY: 'k' }
  const models = createModels({ fetch, config, readSecrets, env, homeTenant: 'default' })
  const usual = { firstMs: 9000, againMs: 9000, modelMs: 9000, chunkMs: 9000, modelRetries: 0 }
  return askModel({
    chosen: await models.open(`${kind}/any`, { tenant: 'default' }),
    instructions: 'Sum up.',
    messages,
    tools: { look: tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }) }) },
    mayCall: false,
    signal: new AbortController().signal,
    limits: { ...usual, ...limits } as TurnLimits,
    takenIds: new Set(),
    write: () => undefined,
    onCut: () => undefined,
  })
}

const messages: ModelMessage[] = [
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 't1', toolName: 'look', input: {} }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 't1',
        toolName: 'look',
        output: { type: 'text', value: 'a red door' },
      },
    ],
  },
]

const providers = ['anthropic', 'openai', 'google', 'bedrock'] as const

test.each(providers)('asked to sum up, a model of %s has what its tools found', async (kind) => {
  const { bodies, baseUrl, close } = await startServer()
  await expect(ask(kind, baseUrl)).rejects.toMatchObject({ code: 'model_failed' })
  close()
  expect(bodies).toEqual([expect.stringContaining('a red door')])
})

test('a provider that was silent for long is asked once more, and for less long', async () => {
  const { stayedMs, baseUrl, close } = await startServer(true)
  const asked = ask('anthropic', baseUrl, { firstMs: 2000, againMs: 200 })
  await expect(asked).rejects.toThrow('did not begin to answer in 2 s')
  await expect.poll(() => stayedMs.length).toBe(2)
  close()
  const [first = 0, second = 0] = stayedMs
  expect(first).toBeGreaterThan(1500)
  expect(second).toBeLessThan(first)
})
