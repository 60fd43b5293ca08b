import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { createToolSet } from '../src/doors/sdk/create-tool-set.ts'
import { toToolPort } from '../src/core/to-tool-port.ts'
import { openMcpCrib, type KeyInHand, type McpCrib } from './mcp/mcp-crib.ts'
import { answerJson, serveWeb, type WebServer } from './setup/web-server.ts'

/** One authored tool of every kind, with what a call of it returns. */
const kinds: Record<string, { spec(url: string): JsonValue; output: unknown }> = {
  'desk.http': {
    spec: (url) => ({
      kind: 'http',
      method: 'GET',
      url: `${url}/desks/{{input.text}}`,
      pick: 'body.path',
    }),
    output: '/desks/a',
  },
  'desk.code': {
    spec: () => ({ kind: 'code', source: 'return input.text.toUpperCase()' }),
    output: 'A',
  },
  'desk.prompt': {
    spec: () => ({ kind: 'prompt', mode: 'direct', template: 'Say {{input.text}}' }),
    output: expect.stringContaining('offline demo model'),
  },
  'desk.steps': {
    spec: () => ({
      kind: 'composition',
      steps: [{ id: 'shout', tool: 'desk.code', input: { text: '{{input.text}}' } }],
      output: '{{steps.shout.output}}',
    }),
    output: 'A',
  },
  'desk.task': {
    spec: () => ({
      kind: 'task',
      to: 'role:operator',
      template: 'Look at {{input.text}}',
      wait: false,
    }),
    output: expect.anything(),
  },
}
const input = { text: 'a' }

let web: WebServer
let scene: McpCrib
let key: KeyInHand
let client: Client

beforeAll(async () => {
  web = await serveWeb(({ url }, response) => answerJson(response, { path: url.pathname }))
  scene = await openMcpCrib({ config: { tools: [], network: { addresses: ['127.0.0.0/8'] } } })
  key = await scene.createKey()
  for (const [name, { spec }] of Object.entries(kinds)) {
    const document = {
      name,
      description: 'A tool that is a document, for a test of its callers.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      spec: spec(web.url),
    }
    const made = await request('/api/v1/tools', { document, publish: true })
    if (made['name'] !== name) throw new Error(JSON.stringify(made))
  }
  client = await scene.connect(key)
})
afterAll(async () => {
  await client.close()
  await Promise.all([scene.close(), web.close()])
})

async function request(path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(path, scene.server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}

describe.each(Object.entries(kinds))('%s, made over HTTP,', (name, { output }) => {
  test('is called over HTTP', async () => {
    const result = await request(`/api/v1/tools/${name}/calls`, { input })
    expect(result).toMatchObject({ status: 'completed', output })
  })

  test('is called by an MCP client', async () => {
    const { tools } = await client.listTools()
    const listed = tools.find((tool) => tool.name === name.replace('.', '_'))
    expect(listed).toMatchObject({ inputSchema: { required: ['text'] } })
    const result = await client.callTool({ name: name.replace('.', '_'), arguments: input })
    expect(result.isError).not.toBe(true)
    expect(JSON.stringify(result.content)).not.toBe('[]')
  })

  test('is called by the AI SDK', async () => {
    const { tools } = await createToolSet(toToolPort(scene.crib.api, ownerOf()))
    const tool = tools[name.replace('.', '_')]
    const result: unknown = await tool?.execute?.(input, {
      toolCallId: name,
      messages: [],
      context: {},
    })
    expect(result).toEqual(output)
  })

  test('is called by a schedule', async () => {
    const { api } = scene.crib
    const owner = ownerOf()
    const { id } = await api.createSchedule(owner, { name, tool: name, input, when: { at: '+1s' } })
    await expect
      .poll(async () => (await api.listScheduleRuns(owner, { id, limit: 1 })).items[0]?.status)
      .toBe('completed')
  })
})
