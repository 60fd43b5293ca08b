import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

let port: number
let hits: string[] = []
/** Statuses that the server answers with before it answers with 200. */
let failures: number[] = []
const server = createServer((request, response) => {
  hits.push(`${request.method} ${request.url}`)
  const status = failures.shift()
  if (status === 0) return request.socket.destroy()
  if (status !== undefined) {
    return response.writeHead(status, status === 429 ? { 'retry-after': '0' } : {}).end('busy')
  }
  const type = request.url === '/latin' ? 'text/html' : 'text/html; charset=utf-8'
  const meta = '<meta charset="iso-8859-1">'
  response.writeHead(200, { 'content-type': type })
  response.end(request.url === '/latin' ? Buffer.from(`${meta}Bücher`, 'latin1') : 'page')
})

const input = z.object({
  url: z.string(),
  method: z.string().optional(),
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  retries: z.int().optional(),
  maxBytes: z.int().optional(),
})
const facts = { description: 'Fetches a page, for tests of the network rules.', inputSchema: input }

const tools = [
  defineTool({
    ...facts,
    name: 'web.get',
    effect: 'read',
    async execute({ url, ...request }, { web }) {
      const { status, mediaType, text } = await web.readPage(url, request)
      return { status, mediaType, text: text() }
    },
  }),
  defineTool({
    ...facts,
    name: 'mail.post',
    effect: 'read',
    async execute({ url, ...request }, { fetch }) {
      const response = await fetch(url, request)
      return { status: response.status, text: await response.text() }
    },
  }),
  defineTool({
    name: 'mail.keep',
    description: 'Keeps a file beside its output, for tests of artifacts.',
    effect: 'read',
    inputSchema: z.object({ bytes: z.int() }),
    async execute({ bytes }, { artifacts }) {
      const file = {
        name: 'a.bin',
        mediaType: 'application/x-test',
        bytes: new Uint8Array(bytes).fill(7),
      }
      return { deep: [{ file: await artifacts.save(file) }] }
    },
  }),
]

let crib: OpenCrib
const [acme, beta] = [ownerOf('acme'), ownerOf('beta')]

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store: await openTestStore(),
    config: {
      tools: [],
      agents: [],
      tenants: [
        { slug: 'acme', agents: [{ slug: 'bot', tools: { allow: ['*'] } }] },
        { slug: 'beta' },
      ],
      network: { addresses: ['127.0.0.1', 'localhost'], deny: ['*.forbidden.example'] },
      limits: { artifactBytes: 65_536 },
    },
    tools,
    onWarning: () => undefined,
  })
})
afterAll(async () => {
  await crib.close()
  server.close()
})
beforeEach(async () => {
  hits = []
  failures = []
  await crib.api.writeNetworkRules(acme, { rules: [] })
})

type Request = z.input<typeof input>

function call(tool: string, request: Request, caller: Caller = acme) {
  return crib.api.call({ tool, input: request, caller })
}

const page = () => `http://127.0.0.1:${port}/`

async function denials(tenant = 'acme') {
  const { items } = await crib.store.events.read(tenant, { types: ['network.denied'], limit: 100 })
  return items.map(({ data }) => data)
}

test('a tool reads a page in its encoding', async () => {
  expect(await call('web.get', { url: page() })).toMatchObject({
    status: 'completed',
    output: { status: 200, mediaType: 'text/html', text: 'page' },
  })
  const latin = await call('web.get', { url: `${page()}latin` })
  expect(latin.output).toMatchObject({ text: '<meta charset="iso-8859-1">Bücher' })
})

test('the configuration declares rules of a tenant, which it alone changes', async () => {
  const store = await openTestStore()
  const warnings: string[] = []
  const open = (network: object[]) =>
    openCrib({
      cwd: '/',
      data: '/nowhere',
      env: {},
      store,
      config: {
        tools: [],
        tenants: [{ slug: 'acme', network: network as never }],
        network: { rules: [{ id: 'own', deny: ['a.example'] }] },
      },
      onWarning: (message) => void warnings.push(message),
    })
  const rule = { id: 'mail', pack: 'mail', allow: ['mail.example'] }
  const first = await open([rule, { id: 'odd', agent: 'nobody', deny: ['b.example'] }])
  expect(warnings).toEqual(['Network rule odd of tenant acme: there is no agent nobody'])
  const verdict = async (tenant: string, host: string) =>
    (await first.api.explainNetwork(ownerOf(tenant), { host, port: 443, pack: 'mail' })).verdict
  expect(
    await Promise.all([verdict('acme', 'mail.example'), verdict('acme', 'x.example')]),
  ).toEqual(['allow', 'deny'])
  expect([await verdict('default', 'a.example'), await verdict('acme', 'a.example')]).toEqual([
    'deny',
    'deny',
  ])
  expect(await verdict('default', 'x.example')).toBe('allow')
  const refused = { code: 'conflict', message: 'The rule mail is declared in the configuration' }
  await expect(first.api.deleteNetworkRule(acme, { id: 'mail' })).rejects.toMatchObject(refused)
  const changed = first.api.writeNetworkRule(acme, { id: 'mail', allow: ['*'] })
  await expect(changed).rejects.toMatchObject(refused)
  const all = { rules: [{ id: 'more', deny: ['c.example'] }] }
  const { items } = await first.api.previewNetworkRules(acme, all)
  expect(items.map(({ host }) => host)).toContain('c.example')
  expect(items.map(({ host }) => host)).not.toContain('mail.example')
  const { rules } = await first.api.writeNetworkRules(acme, all)
  expect(rules.map(({ id, isDeclared }) => [id, isDeclared])).toEqual([
    ['mail', true],
    ['more', undefined],
    ['odd', true],
  ])
  await first.close()
  const second = await open([])
  const left = await second.api.listNetworkRules(acme, {})
  expect(left.rules.map(({ id }) => id)).toEqual(['more'])
  const { items: told } = await store.events.read('acme', {
    types: ['network.changed'],
    limit: 10,
  })
  const ofMail = told
    .map(({ data }) => data)
    .filter((data) => (data as { id: string }).id === 'mail')
  expect(ofMail).toMatchObject([
    { change: 'created', before: null },
    { change: 'deleted', before: { pack: 'mail' } },
  ])
  await second.close()
  await store.close()
})

test('a rule of the tenant closes a host at once, and only there', async () => {
  await crib.api.writeNetworkRule(acme, { id: 'closed', deny: ['127.0.0.1'] })
  const denied = await call('web.get', { url: page() })
  expect(denied).toMatchObject({ status: 'failed', error: { code: 'denied' } })
  expect(denied.error?.message).toContain('tenant: 127.0.0.1')
  expect(hits).toEqual([])
  expect(await call('web.get', { url: page() }, beta)).toMatchObject({ status: 'completed' })
  await expect
    .poll(() => denials())
    .toContainEqual({
      host: '127.0.0.1',
      port,
      rule: '127.0.0.1',
      level: 'tenant',
      setBy: expect.stringContaining('user:') as string,
      pack: 'web',
      tool: 'web.get',
      callId: denied.callId,
      count: 1,
    })
  expect(await denials('beta')).toEqual([])
})

test('rules of packs and agents narrow those of the tenant', async () => {
  await crib.api.writeNetworkRules(acme, {
    rules: [
      { id: 'mail-only', pack: 'mail', deny: ['*'] },
      { id: 'bot-only', agent: 'bot', allow: [`127.0.0.1:${port}`] },
    ],
  })
  const bot = { ...acme, agent: 'bot' }
  expect(await call('mail.post', { url: page() })).toMatchObject({ error: { code: 'denied' } })
  expect(await call('web.get', { url: page() }, bot)).toMatchObject({ status: 'completed' })
  const elsewhere = await call('web.get', { url: 'http://localhost:1/' }, bot)
  expect(elsewhere).toMatchObject({ error: { code: 'denied' } })
  const child = { ...acme, parents: ['bot'] }
  expect(await call('web.get', { url: 'http://localhost:1/' }, child)).toMatchObject({
    error: { code: 'denied' },
  })
})

test('the configuration wins over every rule of a tenant', async () => {
  await crib.api.writeNetworkRule(acme, { id: 'open', allow: ['*.forbidden.example'] })
  const denied = await call('web.get', { url: 'https://a.forbidden.example/' })
  expect(denied.error?.message).toContain('global: *.forbidden.example')
})

test('no rule opens a private address', async () => {
  await crib.api.writeNetworkRule(acme, { id: 'open', allow: ['169.254.169.254'] })
  expect(await call('web.get', { url: 'http://169.254.169.254/' })).toMatchObject({
    error: { code: 'forbidden' },
  })
  await expect
    .poll(() => denials())
    .toContainEqual(expect.objectContaining({ host: '169.254.169.254', level: 'address' }))
  const verdict = await crib.api.explainNetwork(acme, { host: '169.254.169.254', port: 80 })
  expect(verdict).toMatchObject({ verdict: 'deny', level: 'address' })
})

test('explain names the level and the rule', async () => {
  await crib.api.writeNetworkRule(acme, { id: 'partners', allow: ['*.example.com'], pack: 'shell' })
  const explain = (host: string, pack: string) =>
    crib.api.explainNetwork(acme, { host, pack, port: 443 })
  expect(await explain('api.example.com', 'shell')).toMatchObject({
    verdict: 'allow',
    rule: '*.example.com',
    id: 'partners',
    levels: [{ level: 'global' }, { level: 'tenant', verdict: 'allow' }, { level: 'default' }],
  })
  expect(await explain('other.example', 'shell')).toMatchObject({
    verdict: 'deny',
    level: 'tenant',
  })
  expect(await explain('other.example', 'web')).toMatchObject({ verdict: 'allow' })
  expect(await explain('other.example', 'process')).toMatchObject({
    verdict: 'deny',
    level: 'default',
  })
})

test('a preview shows the verdicts that would change, and saves nothing', async () => {
  const rules = [{ id: 'list', allow: ['*.example.com'] }]
  const preview = await crib.api.previewNetworkRules(acme, { rules })
  expect(preview.items).toContainEqual(
    expect.objectContaining({
      host: 'any-other-host.example',
      before: expect.objectContaining({ verdict: 'allow' }) as object,
      after: expect.objectContaining({ verdict: 'deny', id: 'list' }) as object,
    }),
  )
  expect(preview.items).not.toContainEqual(expect.objectContaining({ host: 'any.example.com' }))
  expect((await crib.api.listNetworkRules(acme)).rules).toEqual([])
})

test('replacing all rules keeps the author of those that stay', async () => {
  const first = await crib.api.writeNetworkRule(acme, { id: 'a', allow: ['a.example'] })
  const { rules } = await crib.api.writeNetworkRules(acme, {
    rules: [
      { id: 'a', allow: ['a.example'] },
      { id: 'b', deny: ['b.example'] },
    ],
  })
  expect(rules.map(({ id, version }) => [id, version])).toEqual([
    ['a', first.version],
    ['b', 1],
  ])
  await expect(
    crib.api.writeNetworkRule(acme, { id: 'a', allow: ['x.example'], version: 7 }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await expect(
    crib.api.writeNetworkRule(acme, { id: 'c', agent: 'nobody', deny: ['*'] }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(crib.api.deleteNetworkRule(beta, { id: 'a' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a flood of refusals becomes one event and a count', async () => {
  const secret = 'flood.forbidden.example'
  for (let at = 0; at < 5; at++) await call('mail.post', { url: `https://${secret}/` })
  const ofFlood = async () =>
    (await denials()).filter((data) => 'host' in data && data.host === secret)
  // Each call has events of its own; what one call repeats is counted.
  await expect.poll(async () => (await ofFlood()).length).toBe(5)
})

test('reads are repeated while the server is busy or resets, and nothing else is', async () => {
  failures = [503, 429, 0]
  const read = await call('web.get', { url: page(), retries: 3 })
  expect(read).toMatchObject({ output: { text: 'page' } })
  expect(hits).toHaveLength(4)
  hits = []
  failures = [503]
  expect(
    await call('mail.post', { url: page(), method: 'POST', body: 'x', retries: 3 }),
  ).toMatchObject({
    output: { status: 503 },
  })
  failures = [503]
  expect(await call('web.get', { url: page() })).toMatchObject({ output: { status: 503 } })
  expect(hits).toHaveLength(2)
})

test('tools set no header that speaks for a proxy or names another host', async () => {
  for (const name of ['Host', 'X-Forwarded-For', 'Proxy-Authorization', 'Forwarded']) {
    const result = await call('mail.post', { url: page(), headers: { [name]: 'x' } })
    expect(result.error?.message).toContain(name.toLowerCase())
  }
  expect(hits).toEqual([])
})

test('failures of a request have codes', async () => {
  expect(await call('web.get', { url: page(), maxBytes: 1 })).toMatchObject({
    error: { code: 'quota_exceeded' },
  })
  expect(await call('web.get', { url: 'not an address' })).toMatchObject({
    error: { code: 'invalid_request' },
  })
  failures = [0]
  expect(await call('web.get', { url: page() })).toMatchObject({
    error: { code: 'upstream_failed' },
  })
})

test('a saved file is read through its reference, by those who may read the call', async () => {
  const { callId = '', output } = await crib.api.call({
    tool: 'mail.keep',
    input: { bytes: 1000 },
    caller: acme,
    durable: true,
  })
  const { file } = (output as { deep: { file: { id: string } }[] }).deep[0] ?? {}
  const read = (caller: Caller) =>
    crib.api.readArtifact(caller, { id: callId, artifact: file?.id ?? '' })
  expect(await read(acme)).toMatchObject({ bytes: 1000, mediaType: 'application/x-test' })
  await expect(read(beta)).rejects.toMatchObject({ code: 'not_found' })
  const large = await crib.api.call({ tool: 'mail.keep', input: { bytes: 70_000 }, caller: acme })
  expect(large).toMatchObject({ error: { code: 'quota_exceeded' } })
})
