import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { ConfigInput } from '../src/core/typing/config-input.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { CallerClient } from '../src/core/kernel/context/caller-client.ts'
import { type GatewayCrib, hostile, openGatewayCrib, textOf, until } from './setup/gateway-crib.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

interface Message {
  id?: number
  method: string
  params: { name?: string; uri?: string }
}

type Answers = (message: Message, response: ServerResponse) => object | undefined

/** A server over HTTP that answers with what it is told to; nothing leaves the request open. */
async function serve(answers: Answers): Promise<string> {
  const server: Server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(text) as Message
    if (message.id === undefined) return void response.writeHead(202).end()
    const result = answers(message, response)
    if (result === undefined) return
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...result }))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function openCrib(servers: Parameters<typeof openGatewayCrib>[0]): Promise<GatewayCrib> {
  const crib = await openGatewayCrib(servers)
  open.push(crib)
  return crib
}

const schema = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
const said = (text: string) => ({ result: { content: [{ type: 'text', text }] } })
const unknown = { error: { code: -32_601, message: 'Unknown' } }

test('calls that hang leave the connections of an older server to others, and its answers are bounded', async () => {
  const url = await serve(({ method, params }) => {
    if (method === 'initialize') {
      const capabilities = { tools: {} }
      const serverInfo = { name: 'old', version: '1' }
      return { result: { protocolVersion: '2025-06-18', capabilities, serverInfo } }
    }
    const tools = ['say', 'hang', 'huge'].map((name) => ({ name, ...schema }))
    if (method === 'tools/list') return { result: { tools } }
    if (method !== 'tools/call') return unknown
    if (params.name === 'huge') return said('x'.repeat(10_000))
    return params.name === 'hang' ? undefined : said('still here')
  })
  const crib = await openCrib({ old: { url, timeouts: { hang: 100 }, maxResultBytes: 5000 } })
  await until(async () => (await crib.tools('mcp:old:'))['mcp:old:say'] === 'ready')
  for (let round = 0; round < 11; round += 1) {
    await Promise.all(Array.from({ length: 100 }, () => crib.call('mcp:old:hang')))
  }
  expect(textOf(await crib.call('mcp:old:say'))).toBe('still here')
  expect((await crib.call('mcp:old:huge')).error?.message).toContain('maxResultBytes')
})

test('results are cut to maxOutputBytes, structure and all, and keep their pictures', async () => {
  const text = { type: 'text', text: 'x'.repeat(60_000) }
  const data = Buffer.alloc(30_000, 7).toString('base64')
  const results: Record<string, object> = {
    wide: { content: Array.from({ length: 90_000 }, () => ({ type: 'text', text: '' })) },
    deep: { content: [], structuredContent: { rows: Array(20_000).fill('a row') } },
    pictured: { content: [text, { type: 'image', mimeType: 'image/png', data }] },
  }
  const tools = Object.keys(results).map((name) => ({ name, ...schema }))
  const url = await serve(({ method, params }) => {
    if (method === 'initialize') {
      const capabilities = { tools: {} }
      const serverInfo = { name: 'up', version: '1' }
      return { result: { protocolVersion: '2025-06-18', capabilities, serverInfo } }
    }
    if (method === 'tools/list') return { result: { tools } }
    return method === 'tools/call' ? { result: results[params.name ?? ''] } : unknown
  })
  const crib = await openCrib({ up: { url }, wide: { url, maxOutputBytes: 16_777_216 } })
  await until(async () => (await crib.tools('mcp:wide:'))['mcp:wide:wide'] === 'ready')
  await until(async () => (await crib.tools('mcp:up:'))['mcp:up:wide'] === 'ready')
  for (const name of Object.keys(results)) {
    const { output, artifact } = await crib.call(`mcp:up:${name}`)
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(51_200)
    expect(artifact?.bytes).toBeGreaterThan(51_200)
  }
  const { callId = '', output } = await crib.call('mcp:up:pictured')
  const { $content } = output as { $content: { $artifact?: { id: string } }[] }
  expect($content).toHaveLength(3)
  const range = { offset: 0, limit: 40_000, artifact: $content[1]?.$artifact?.id ?? '' }
  const { chunk } = await crib.api.readArtifact(ownerOf(), { id: callId, ...range })
  expect(Buffer.from(chunk).toString('base64')).toBe(data)
  const allowed = await crib.call('mcp:wide:wide')
  expect((allowed.output as { $content: object[] }).$content).toHaveLength(90_000)
})

test('however many resources are read, one stream tells of their changes', async () => {
  const streams = new Set<ServerResponse>()
  let most = 0
  const url = await serve(({ method, params }, response) => {
    const complete = (result: object) => ({ result: { resultType: 'complete', ...result } })
    if (method === 'server/discover') {
      const capabilities = { tools: {}, resources: { subscribe: true } }
      return complete({ supportedVersions: ['2026-07-28'], capabilities })
    }
    if (method === 'tools/list') return complete({ tools: [{ name: 'say', ...schema }] })
    if (method === 'tools/call') return said('still here')
    if (method === 'resources/list') return complete({ resources: [] })
    if (method === 'resources/templates/list') {
      return complete({ resourceTemplates: [{ name: 'note', uriTemplate: 'note://{id}' }] })
    }
    if (method === 'resources/read') return complete({ contents: [{ uri: params.uri, text: '' }] })
    if (method !== 'subscriptions/listen') return unknown
    streams.add(response)
    most = Math.max(most, streams.size)
    response.on('close', () => streams.delete(response))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
    return undefined
  })
  const crib = await openCrib({ notes: { url } })
  await until(async () => (await crib.tools('mcp:notes:'))['mcp:notes:say'] === 'ready')
  for (let number = 0; number < 150; number += 1) {
    await crib.api.readResource(ownerOf(), { uri: `note://${number}` })
  }
  expect(textOf(await crib.call('mcp:notes:say'))).toBe('still here')
  await until(() => streams.size === 1)
  expect(most).toBeLessThan(50)
})

test('a careful agent asks before a tool that calls itself read-only, until an operator believes it', async () => {
  const agents = [
    { slug: 'careful', model: 'demo', autonomy: 'conservative' as const, tools: { allow: ['*'] } },
  ]
  const doubtful = { trustHints: ['re*'], effects: { wait: 'read' as const } }
  const servers = { bad: hostile(), good: hostile('', doubtful) }
  const crib = await openGatewayCrib(servers, { config: { agents } })
  open.push(crib)
  await until(async () => (await crib.tools('mcp:good:'))['mcp:good:read'] === 'ready')
  await until(async () => (await crib.tools('mcp:bad:'))['mcp:bad:read'] === 'ready')
  const caller = { ...ownerOf(), agent: 'careful' }
  const statusOf = async (tool: string) =>
    (await crib.api.call({ tool, input: { ms: 1 }, caller })).status
  expect([
    await statusOf('mcp:bad:read'),
    await statusOf('mcp:bad:wait'),
    await statusOf('mcp:good:read'),
    await statusOf('mcp:good:wait'),
    await statusOf('mcp:good:ask-reading'),
  ]).toEqual(['waiting', 'waiting', 'completed', 'completed', 'waiting'])
})

test('calls of a tool that asks run beside each other, and everybody is asked what is theirs', async () => {
  const crib = await openCrib({ bad: hostile() })
  await until(async () => (await crib.tools('mcp:bad:'))['mcp:bad:ask'] === 'ready')
  const ask = async (who: string) => {
    const client: CallerClient = {
      abilities: new Set(['elicitation.form']),
      async ask() {
        await new Promise((resolve) => setTimeout(resolve, 100))
        return { answer: { action: 'accept', content: { who } } }
      },
      log: () => undefined,
    }
    const answer = textOf(await crib.call('mcp:bad:ask', {}, { client }))
    return (JSON.parse(answer) as { result: unknown }).result
  }
  const answered = (who: string) => ({ action: 'accept', content: { who } })
  expect(await ask('first')).toEqual(answered('first'))
  const people = ['ada', 'ben', 'cleo', 'dan']
  const others = crib.call('mcp:bad:say', { a: 1 })
  expect(await Promise.all(people.map(ask))).toEqual(people.map(answered))
  expect(textOf(await others)).toBe('{"a":1}')
})

test("nobody is shown, or dials by its name, how everybody's server is reached", async () => {
  let visits = 0
  const url = await serve(() => {
    visits += 1
    return unknown
  })
  const more = { env: { LEVEL: 'of the operator' }, enabled: false }
  const config: ConfigInput = {
    tenants: [{ slug: 'acme' }],
    gateway: { stdio: 'configured' },
  }
  const crib = await openGatewayCrib({ tool: hostile('', more) }, { config })
  open.push(crib)
  const acme = ownerOf('acme')
  const { items } = await crib.api.listMcpServers(acme, { limit: 10 })
  expect(items[0]).toMatchObject({ name: 'tool', transport: 'stdio', isForEveryone: true })
  expect(JSON.stringify(items)).not.toMatch(/operator|hostile|command/)
  const code = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  expect(await code(crib.api.testMcpServer(acme, { name: 'tool', server: { url } }))).toBe(
    'conflict',
  )
  expect(await code(crib.api.testMcpServer(acme, { name: 'tool' }))).toBe('forbidden')
  expect(await code(crib.api.refreshMcpServer(acme, { name: 'tool' }))).toBe('forbidden')
  expect(await crib.api.testMcpServer(acme, { name: 'mine', server: { url } })).toMatchObject({
    ok: false,
    problem: { code: 'forbidden' },
  })
  expect(visits).toBe(0)
  const own = await crib.api.listMcpServers(ownerOf(), { limit: 10 })
  expect(own.items[0]).toMatchObject({ env: { LEVEL: 'of the operator' } })
})

test('what lies beside the tools of a server is for those who would see a tool of it', async () => {
  const url = await serve(({ method, params }) => {
    const complete = (result: object) => ({ result: { resultType: 'complete', ...result } })
    if (method === 'server/discover') {
      const capabilities = { resources: {} }
      return complete({ supportedVersions: ['2026-07-28'], capabilities })
    }
    const resources = [{ name: 'salaries', uri: 'hr://salaries' }]
    if (method === 'resources/list') return complete({ resources })
    if (method === 'resources/templates/list') return complete({ resourceTemplates: [] })
    const contents = [{ uri: params.uri, text: 'much' }]
    return method === 'resources/read' ? complete({ contents }) : unknown
  })
  const agents = [
    { slug: 'clerk', tools: { allow: ['demo.*'] } },
    { slug: 'payroll', tools: { allow: ['mcp:hr:*'] } },
  ]
  const crib = await openGatewayCrib({ hr: { url } }, { config: { agents } })
  open.push(crib)
  const read = (agent: string) =>
    crib.api.readResource({ ...ownerOf(), agent }, { uri: 'hr://salaries' }).then(
      ([first]) => first,
      (error: { code: string }) => error.code,
    )
  await until(async () => typeof (await read('payroll')) === 'object')
  expect(await read('clerk')).toBe('not_found')
  const listed = await crib.api.listResources({ ...ownerOf(), agent: 'clerk' }, {})
  expect(listed.items.filter(({ uri }) => uri.startsWith('hr:'))).toEqual([])
})

test('what a server was given is in no list and no error, and tools are called as before', async () => {
  const secret = 'hub-key-123456789'
  const leak = { error: { code: -32_000, message: `refused with ${secret}` } }
  const described = { name: 'a', description: `reached with ${secret}` }
  const at = { type: 'string', default: secret, enum: [secret], description: `Not ${secret}` }
  const inputSchema = { type: 'object', properties: { title: at } }
  const url = await serve(({ method }) => {
    const complete = (result: object) => ({ result: { resultType: 'complete', ...result } })
    const capabilities = { tools: {}, resources: {}, prompts: {} }
    const supportedVersions = ['2026-07-28']
    const instructions = `Send ${secret}`
    if (method === 'server/discover') {
      return complete({ supportedVersions, capabilities, instructions })
    }
    if (method === 'tools/list')
      return complete({ tools: [{ ...described, name: 'read', inputSchema }] })
    if (method === 'prompts/list') return complete({ prompts: [described] })
    if (method === 'resources/list') {
      return complete({ resources: [{ uri: `note://${secret}`, ...described }] })
    }
    return method === 'resources/templates/list' ? complete({ resourceTemplates: [] }) : leak
  })
  const servers = { web: { url, headers: { 'x-hub': 'env:HUB_KEY' } } }
  const crib = await openGatewayCrib(servers, { env: { HUB_KEY: secret } })
  open.push(crib)
  await until(async () => (await crib.tools('mcp:web:'))['mcp:web:read'] === 'ready')
  const { api } = crib
  const { about } = await api.findMcpServer(ownerOf(), { name: 'web' })
  expect(about?.instructions).toBe('Send [redacted:HUB_KEY]')
  const mark = '[redacted:HUB_KEY]'
  expect((await api.offer(ownerOf())).find('mcp:web:read')).toMatchObject({
    description: `reached with ${mark}`,
    // What it is judged by stays.
    inputSchema: {
      properties: { title: { default: mark, enum: [secret], description: `Not ${mark}` } },
    },
  })
  expect(JSON.stringify(await api.listPrompts(ownerOf(), { limit: 10 }))).not.toContain(secret)
  const { items } = await api.listResources(ownerOf(), { limit: 10 })
  // By what it is called it is asked for, so that stays.
  const wanted = { uri: `note://${secret}`, description: 'reached with [redacted:HUB_KEY]' }
  expect(items).toMatchObject([wanted])
  // A server that says no to an address does not have it.
  await expect(api.readResource(ownerOf(), wanted)).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    api.getPrompt(ownerOf(), { name: 'mcp:web:a', arguments: {} }),
  ).rejects.toMatchObject({ message: 'refused with [redacted:HUB_KEY]' })
})

test('a tool that operators say changes things is not run again when its server is lost', async () => {
  const crib = await openCrib({ bad: hostile('', { effects: { 'die-reading': 'write' } }) })
  await until(async () => (await crib.tools('mcp:bad:'))['mcp:bad:say'] === 'ready')
  expect((await crib.call('mcp:bad:die-reading')).error?.code).toBe('outcome_unknown')
})

test('of one tenant few servers are tested at once, and the others are told to wait', async () => {
  const held: ServerResponse[] = []
  const url = await serve((_message, response) => void held.push(response))
  const config: ConfigInput = { gateway: { addresses: ['127.0.0.1'] } }
  const crib = await openGatewayCrib({}, { config })
  open.push(crib)
  const tests = Array.from({ length: 6 }, (_none, number) =>
    crib.api.testMcpServer(ownerOf(), { name: `server-${number}`, server: { url } }).then(
      ({ ok }) => String(ok),
      (error: { code: string }) => error.code,
    ),
  )
  await until(() => held.length === 4)
  // None of them is kept waiting by what it does not answer.
  for (const response of held) response.writeHead(403).end()
  expect((await Promise.all(tests)).sort()).toEqual([
    'false',
    'false',
    'false',
    'false',
    'rate_limited',
    'rate_limited',
  ])
})
