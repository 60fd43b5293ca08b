import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonSchema, tool, type ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { createModels } from '../models/create-models.ts'
import { modelsSchema } from '../models/models-config.ts'
import { askModel } from './model-step.ts'
import type { TurnLimits } from './turn-ports.ts'

/** A provider that refuses everything, and what it was asked. */
async function startRefusing() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { bodies, baseUrl: `http://127.0.0.1:${port}`, close: () => void server.close() }
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
  const { bodies, baseUrl, close } = await startRefusing()
  const config = modelsSchema.parse({
    [kind]: { baseUrl, apiKey: 'env:KEY', ...(kind === 'bedrock' && { region: 'eu-west-1' }) },
  })
  const readSecrets = async () => new Map<string, string>()
  const env = { KEY: 'k' }
  const models = createModels({ config, readSecrets, env, homeTenant: 'default' })
  const chosen = await models.open(`${kind}/any`, { tenant: 'default' })
  const asked = askModel({
    chosen,
    instructions: 'Sum up.',
    messages,
    tools: { look: tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }) }) },
    mayCall: false,
    signal: new AbortController().signal,
    limits: { firstMs: 9000, modelMs: 9000, chunkMs: 9000, modelRetries: 0 } as TurnLimits,
    takenIds: new Set(),
    write: () => undefined,
    onCut: () => undefined,
  })
  await expect(asked).rejects.toMatchObject({ code: 'model_failed' })
  close()
  expect(bodies).toEqual([expect.stringContaining('a red door')])
})
