import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ path: request.url }))
})
const find = defineTool({
  name: 'billing.find',
  description: 'Finds an invoice by its id, for tests of overrides.',
  effect: 'read',
  timeoutMs: 5000,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  execute: () => ({ total: 7 }),
})

let crib: OpenCrib
let owner: Caller

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const store = await openTestStore()
  crib = await openCrib({
    cwd: process.cwd(),
    data: '/nowhere',
    store,
    tools: [find],
    config: {
      network: { addresses: ['127.0.0.1'] },
      agents: [{ slug: 'clerk', tools: { allow: ['demo.*'] } }],
    },
  })
  owner = ownerOf('default', 'api')
})
afterAll(async () => {
  await crib.close()
  server.close()
})

function http(name: string, path: string, more: object = {}) {
  const { port } = server.address() as AddressInfo
  return {
    name,
    description: 'Fetches a path of the test server, for tests.',
    inputSchema: { type: 'object', properties: {} },
    spec: { kind: 'http', method: 'GET', url: `http://127.0.0.1:${port}${path}` },
    ...more,
  }
}
const call = (tool: string, caller = owner) => crib.api.call({ tool, input: {}, caller })

test('a document is drafted, published, called, changed and restored', async () => {
  const { api } = crib
  const name = 'demo.path'
  const made = await api.createTool(owner, { document: http(name, '/one') })
  expect(made.draft).toMatchObject({ name, revision: 1, findings: [] })
  expect(await call(name)).toMatchObject({ error: { code: 'tool_not_found' } })

  const first = await api.publishTool(owner, { name, note: 'The first' })
  expect(first).toMatchObject({
    version: { number: 1, note: 'The first', isInForce: true },
    isNew: true,
    sight: { agents: 1, sees: ['clerk'], asks: [] },
  })
  expect((await call(name)).output).toMatchObject({ path: '/one' })
  expect((await api.listTools(owner, { source: 'authored' })).items).toMatchObject([{ name }])

  await api.saveToolDraft(owner, { name, document: http(name, '/two') })
  expect((await call(name)).output).toMatchObject({ path: '/one' })
  const second = await api.publishTool(owner, { name })
  expect(second.version.number).toBe(2)
  const result = await call(name)
  expect(result.output).toMatchObject({ path: '/two' })
  const record = await api.findCall(owner, { id: result.callId ?? '' })
  expect(record.toolVersion).toBe(second.version.hash)

  await api.restoreToolVersion(owner, { name, hash: first.version.hash })
  expect((await call(name)).output).toMatchObject({ path: '/one' })
  const { items } = await api.listToolVersions(owner, { name })
  expect(items.map(({ number, isInForce }) => [number, isInForce])).toEqual([
    [2, false],
    [1, true],
  ])
})
