import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Crib } from '../src/app/crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { answerJson, serveWeb, type WebServer } from './setup/web-server.ts'

const owner = ownerOf()
let crib: Crib
let server: WebServer
beforeAll(async () => {
  server = await serveWeb(({ url, headers }, response) =>
    answerJson(response, { path: url.pathname, key: headers['x-api-key'] ?? null }),
  )
  crib = await createTestCrib({
    config: { tools: [], network: { addresses: ['127.0.0.0/8'] } },
    secrets: { api_api_key: 'key-12345678' },
  })
})
afterAll(async () => {
  await crib.close()
  await server.close()
})

const publish = async (document: JsonValue) =>
  crib.api.createTool(owner, { document, publish: true })

test('a cURL command becomes a tool that is called, and its key is nowhere to be seen', async () => {
  const curl = `curl ${server.url}/v1/customers/4711 -H 'X-Api-Key: key-12345678'`
  const { document, secrets, findings } = await crib.api.draftToolFrom(owner, { curl })
  expect(secrets).toEqual(['api_api_key'])
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(JSON.stringify(document)).not.toContain('key-12345678')
  const { name } = await publish(document)
  const result = await crib.call(name, { customer_id: '7' })
  expect(result).toMatchObject({ status: 'completed', output: { path: '/v1/customers/7' } })
  expect(server.seen.at(-1)?.headers['x-api-key']).toBe('key-12345678')
  expect(JSON.stringify(result)).not.toContain('key-12345678')
})

test('a command that is none is refused with its reason', async () => {
  await expect(crib.api.draftToolFrom(owner, { curl: 'wget x' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'The text is not a cURL command',
  })
})

test('a program, a prompt and a task are published and called like any tool', async () => {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
  const describe = (name: string, spec: JsonValue) => ({
    name,
    description: 'A tool that is a document, for a test.',
    inputSchema,
    spec,
  })
  await publish(
    describe('desk.mood', { kind: 'prompt', mode: 'direct', template: 'Mood of {{input.text}}' }),
  )
  await publish(
    describe('desk.both', {
      kind: 'code',
      source: 'return [await tools.desk.mood(input), await tools.desk.mood({ text: "b" })].length',
    }),
  )
  await publish(describe('desk.ask', { kind: 'task', to: 'requester', template: '{{input.text}}' }))
  expect(await crib.call('desk.both', { text: 'a' })).toMatchObject({ output: 2 })
  expect(await crib.call('desk.ask', { text: 'Well?' })).toMatchObject({ status: 'waiting' })
  const wrong = describe('desk.wrong', { kind: 'code', source: 'return (' })
  await expect(publish(wrong)).rejects.toMatchObject({ code: 'invalid_tool' })
})

test('documents preview and undo their calls by other tools, and compositions step by step', async () => {
  const http = (name: string, method: string, more: object = {}) => ({
    name,
    description: 'A request to the test server, for previews and undo.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    spec: { kind: 'http', method, url: `${server.url}/items/{{input.id}}` },
    ...more,
  })
  await publish(http('item.look', 'GET'))
  await publish(http('item.drop', 'DELETE'))
  const preview = {
    tool: 'item.look',
    input: { id: '{{input.id}}' },
    summary: 'Replaces {{input.id}}',
  }
  const undo = { tool: 'item.drop', input: { id: '{{input.id}}' } }
  await publish(http('item.put', 'PUT', { preview, undo }))
  await publish({
    ...http('item.both', ''),
    spec: {
      kind: 'composition',
      steps: [
        { id: 'look', tool: 'item.look', input: { id: '{{input.id}}' } },
        { id: 'put', tool: 'item.put', input: { id: '{{steps.look.output.path}}' } },
      ],
    },
  })
  const sent = () => server.seen.map(({ method, url }) => `${method} ${url.pathname}`)
  const before = sent().length
  expect(await crib.preview('item.put', { id: 'a' })).toMatchObject({
    summary: 'Replaces a',
    changes: [{ target: 'item.look', after: { path: '/items/a' } }],
  })
  const shown = await crib.preview('item.both', { id: 'b' })
  expect(JSON.stringify(shown.changes)).toContain('item.look')
  expect(
    sent()
      .slice(before)
      .filter((line) => !line.startsWith('GET')),
  ).toEqual([])

  const { callId = '' } = await crib.call('item.both', { id: 'c' })
  const undone = await crib.calls.undo(callId)
  expect(undone).toMatchObject({ status: 'completed' })
  expect(sent().at(-1)).toBe('DELETE /items/%2Fitems%2Fc')
})
