import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { type Operation, type Step, toMissing, toPlain, toRequest } from './isolation/walk.ts'

/** Whose things are asked for, and who asks: both are owners, each of a tenant of its own. */
const [theirs, ours] = ['acme', 'beta'] as const
const them = ownerOf(theirs)

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'A tool that both tenants have, for tests of what they see of each other.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'x'.repeat(60_000),
    ...more,
  })

let crib: OpenCrib
let app: HttpApp
let key: string
let steps: Record<Operation, Step>

beforeAll(async () => {
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store: await openTestStore(),
    config: { tools: [], tenants: [{ slug: theirs }, { slug: ours }] },
    tools: [
      tool('mail.read', { maxOutputBytes: 1024 }),
      tool('mail.send', { effect: 'write', approval: 'always' }),
      tool('own.read', { tenants: [theirs] }),
    ],
    onWarning: () => undefined,
  })
  app = createHttpApp({ api: crib.api, version: 'test' })
  const made = await crib.store.keys.create({ tenant: ours, name: 'owner', scopes: ['*'] })
  key = made.token
  steps = await prepare()
})
afterAll(async () => {
  await crib.close()
  await crib.store.close()
})

/** One of everything that a tenant can have. */
async function prepare(): Promise<Record<Operation, Step>> {
  const { api, store } = crib
  const call = await api.call({ tool: 'mail.read', input: {}, caller: them, durable: true })
  const asked = await api.call({ tool: 'mail.send', input: {}, caller: them })
  const again = await api.call({ tool: 'mail.send', input: {}, caller: them })
  const remember = { for: '1h', match: {} }
  await api.decideApproval(them, { id: again.approvalId ?? '', decision: 'approve', remember })
  const [rule] = (await api.listApprovalRules(them)).items
  const file = { mediaType: 'text/plain', content: strToU8('a file of theirs') }
  const upload = await api.createUpload(them, file)
  const schedule = await api.createSchedule(them, {
    name: 'hourly',
    tool: 'mail.read',
    when: { every: '1h' },
  })
  const made = await api.createKey(them, { name: 'k', scopes: ['tools.call'] })
  await api.writeSecret(them, { name: 'token', value: 'a value of theirs' })
  await api.createAgent(them, agentSchema.parse({ slug: 'support', tools: { allow: ['mail.*'] } }))
  await api.writePolicyDocument(them, {
    kind: 'profile',
    name: 'quiet',
    body: { allow: ['*.read'] },
  })
  const member = await api.createMember(them, {
    email: 'ann@acme.test',
    name: 'Ann',
    role: 'viewer',
  })
  const invited = await api.createInvitation(them, { email: 'bob@acme.test', role: 'viewer' })
  const token = new URL(invited.url, 'http://localhost').searchParams.get('token') ?? ''
  const visitor = { address: '127.0.0.1' }
  const joined = await api.acceptInvitation(
    { token, name: 'Bob', password: 'correct horse' },
    visitor,
  )
  const open = await api.createInvitation(them, { email: 'eve@acme.test', role: 'viewer' })
  await api.writeLimit(them, { name: 'most', of: 'tenant', callsPerMinute: 1000 })
  await api.writeLabel(them, { pattern: 'mail.read', reads: ['private'] })
  const inSession = { ...them, sessionId: 'their-session' }
  await api.call({ tool: 'mail.read', input: {}, caller: inSession, durable: true })
  const refused = await api.call({ tool: 'no.such', input: {}, caller: them })
  const text = '---\nname: mailing\ndescription: How they mail.\ntools: [mail.read]\n---\nMail.'
  await api.installSkill(them, { zip: zipSync({ 'SKILL.md': strToU8(text) }) })
  await api.enableSkill(them, { slug: 'support', name: 'mailing' })
  const run = await api.startRun(them, { slug: 'support', prompt: 'hello of acme' })
  await api.findRun(them, { id: run.id, wait: 30 })
  await store.flush()

  const ofTalk = { params: { id: run.conversationId } }
  const ofRun = { params: { id: run.id } }
  const ofUpload = { params: { id: upload.id } }
  const ofCall = { params: { id: call.callId ?? '' } }
  const ofApproval = { params: { id: asked.approvalId ?? '' } }
  const ofSchedule = { params: { id: schedule.id } }
  const ofAgent = { params: { slug: 'support' } }
  const ofLimit = { params: { name: 'most' } }
  const oauth = { scopes: [] }
  const docs = { url: 'https://docs.example.com/mcp', enabled: false, oauth }
  await api.addMcpServer(them, { name: 'wikipages', ...docs })
  const ofServer = { params: { name: 'wikipages' } }
  const ofServerTool = {
    params: { name: 'wikipages', tool: 'search' },
    body: { hash: '0'.repeat(64) },
  }
  const decisions = [{ tool: 'search', hash: '0'.repeat(64), verdict: 'accept' }]
  const ofLabel = { params: { pattern: 'mail.read' } }
  const ofFlags = { params: { sessionId: 'their-session' } }
  const ofSkill = { params: { name: 'mailing' } }
  const ofPin = { params: { slug: 'support', name: 'mailing' }, body: {} }
  const ofMember = { params: { id: member.id } }
  const ofTenant = { params: { slug: theirs }, status: 403 } as const
  const ofProfile = { params: { kind: 'profile', name: 'quiet' } }
  return {
    'POST /api/v1/tools/{name}/calls': { params: { name: 'own.read' }, body: { input: {} } },
    'POST /api/v1/tools/{name}/ask': {
      params: { name: 'own.read' },
      body: { input: {} },
      otherwise: 'nobody has to be asked about a tool that is not there',
    },
    'GET /api/v1/tools/{name}': { params: { name: 'own.read' } },
    'GET /api/v1/calls/{id}': ofCall,
    'POST /api/v1/calls/{id}/cancel': ofCall,
    'POST /api/v1/calls/{id}/rerun': { ...ofCall, body: {} },
    'GET /api/v1/calls/{id}/artifact': ofCall,
    'GET /api/v1/uploads/{id}': ofUpload,
    'GET /api/v1/uploads/{id}/content': ofUpload,
    'DELETE /api/v1/uploads/{id}': ofUpload,
    'POST /api/v1/calls/{id}/complete': {
      ...ofCall,
      headers: { authorization: 'Bearer crib_done_wrong' },
      body: { status: 'completed', response: 1 },
    },
    'POST /api/v1/calls/{id}/progress': {
      ...ofCall,
      headers: { authorization: 'Bearer crib_done_wrong' },
      body: { message: 'half' },
    },
    'PUT /api/v1/secrets/{name}': {
      params: { name: 'token' },
      body: { value: 'a value of ours' },
      otherwise: 'a secret of that name is written in the own tenant',
    },
    'PATCH /api/v1/secrets/{name}': {
      params: { name: 'token' },
      body: { description: 'another note' },
    },
    'DELETE /api/v1/secrets/{name}': { params: { name: 'token' } },
    'DELETE /api/v1/keys/{id}': { params: { id: made.key.id } },
    'GET /api/v1/schedules/{id}': ofSchedule,
    'PATCH /api/v1/schedules/{id}': { ...ofSchedule, body: { paused: true } },
    'DELETE /api/v1/schedules/{id}': ofSchedule,
    'POST /api/v1/schedules/{id}/run': ofSchedule,
    'GET /api/v1/schedules/{id}/runs': ofSchedule,
    'GET /api/v1/approvals/{id}': ofApproval,
    'POST /api/v1/approvals/{id}/decision': { ...ofApproval, body: { decision: 'approve' } },
    'DELETE /api/v1/approval-rules/{id}': { params: { id: rule?.id ?? 'none' } },
    'GET /api/v1/agents/{slug}': ofAgent,
    'PATCH /api/v1/agents/{slug}': { ...ofAgent, body: { autonomy: 'autonomous' } },
    'DELETE /api/v1/agents/{slug}': ofAgent,
    'POST /api/v1/agents/{slug}/grants': { ...ofAgent, body: { pattern: '*' } },
    'DELETE /api/v1/agents/{slug}/grants': { ...ofAgent, query: '?pattern=mail.*' },
    'DELETE /api/v1/agents/{slug}/tools/{name}': {
      params: { slug: 'support', name: 'mail.read' },
    },
    'GET /api/v1/policies/{kind}': {
      params: { kind: 'profile' },
      otherwise: 'a kind is no id; the list is looked at below',
    },
    'PUT /api/v1/policies/{kind}/{name}': {
      ...ofProfile,
      body: { body: { allow: ['mail.read'] } },
      otherwise: 'a profile of that name is written in the own tenant',
    },
    'GET /api/v1/members/{id}': ofMember,
    'PATCH /api/v1/members/{id}': { ...ofMember, body: { role: 'member' } },
    'DELETE /api/v1/members/{id}': ofMember,
    'GET /api/v1/tenants/{slug}': ofTenant,
    'PATCH /api/v1/tenants/{slug}': { ...ofTenant, body: { name: 'Mine' } },
    'DELETE /api/v1/tenants/{slug}': { ...ofTenant, query: '?confirm=acme' },
    'DELETE /api/v1/policies/{kind}/{name}': { ...ofProfile, fixed: ['kind'] },
    'POST /api/v1/keys/{id}/rotate': { params: { id: made.key.id }, body: {} },
    'POST /api/v1/secrets/{name}/test': { params: { name: 'token' }, body: {} },
    'DELETE /api/v1/keyring/{id}': { params: { id: 'k1' }, status: 403 },
    'DELETE /api/v1/sign-ins/{id}': { params: { id: joined.signIn.id } },
    'DELETE /api/v1/invitations/{id}': { params: { id: open.invitation.id } },
    'GET /api/v1/limits/{name}': ofLimit,
    'DELETE /api/v1/limits/{name}': ofLimit,
    'PUT /api/v1/limits/{name}': {
      ...ofLimit,
      body: { of: 'tenant', callsPerMinute: 5 },
      otherwise: 'a limit of that name is written in the own tenant',
    },
    'GET /api/v1/mcp-servers/{name}': ofServer,
    'PATCH /api/v1/mcp-servers/{name}': { ...ofServer, body: { title: 'Mine' } },
    'DELETE /api/v1/mcp-servers/{name}': ofServer,
    'POST /api/v1/mcp-servers/{name}/test': ofServer,
    'POST /api/v1/mcp-servers/{name}/refresh': ofServer,
    'GET /api/v1/mcp-servers/{name}/tools': ofServer,
    'POST /api/v1/mcp-servers/{name}/tools/decisions': { ...ofServer, body: { decisions } },
    'POST /api/v1/mcp-servers/{name}/tools/{tool}/accept': ofServerTool,
    'POST /api/v1/mcp-servers/{name}/tools/{tool}/reject': ofServerTool,
    'POST /api/v1/mcp-servers/{name}/authorize': ofServer,
    'GET /api/v1/mcp-servers/{name}/connections': ofServer,
    'DELETE /api/v1/mcp-servers/{name}/connections': ofServer,
    'GET /api/v1/labels/{pattern}': ofLabel,
    'DELETE /api/v1/labels/{pattern}': ofLabel,
    'PUT /api/v1/labels/{pattern}': {
      ...ofLabel,
      body: { effects: 'external' },
      otherwise: 'a label for that pattern is written in the own tenant',
    },
    'GET /api/v1/session-flags/{sessionId}': ofFlags,
    'DELETE /api/v1/session-flags/{sessionId}': ofFlags,
    'GET /api/v1/explain/{id}': { params: { id: refused.error?.refusalId ?? '' } },
    'GET /api/v1/skills/{name}': ofSkill,
    'DELETE /api/v1/skills/{name}': ofSkill,
    'GET /api/v1/skills/{name}/files/{path}': {
      params: { ...ofSkill.params, path: 'SKILL.md' },
      fixed: ['path'],
    },
    'GET /api/v1/agents/{slug}/skills': ofAgent,
    'GET /api/v1/agents/{slug}/tools': ofAgent,
    'PUT /api/v1/agents/{slug}/skills/{name}': ofPin,
    'DELETE /api/v1/agents/{slug}/skills/{name}': ofPin,
    'POST /api/v1/agents/{slug}/chat': { ...ofAgent, body: { message: 'hello' } },
    'GET /api/v1/agents/{slug}/chat/{conversation}/stream': {
      params: { slug: 'support', conversation: run.conversationId },
    },
    'POST /api/v1/agents/{slug}/runs': { ...ofAgent, body: { prompt: 'hello' } },
    'GET /api/v1/conversations/{id}': ofTalk,
    'DELETE /api/v1/conversations/{id}': ofTalk,
    'GET /api/v1/conversations/{id}/files/{file}': {
      params: { ...ofTalk.params, file: 'file_00000000000000000000000000000000' },
      fixed: ['file'],
    },
    'GET /api/v1/runs/{id}': ofRun,
    'POST /api/v1/runs/{id}/cancel': ofRun,
  }
}

function operations(): Operation[] {
  return Object.entries(app.openApi().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): Operation => `${method.toUpperCase()} ${path as '/'}`),
  )
}

const ask = (operation: Operation, step: Step) => {
  const { path, init } = toRequest(operation, step, key)
  return Promise.resolve(app.request(`http://localhost${path}`, init))
}

test('every route of the API that takes an id is in the walk', () => {
  const withId = operations().filter((operation) => / \/api\/.*\{/.test(operation))
  expect(withId.length).toBeGreaterThan(20)
  expect(withId.toSorted()).toEqual(Object.keys(steps).toSorted())
})

test('no list shows anything of another tenant', async () => {
  const lists = operations().filter(
    (operation) => operation.startsWith('GET /api/v1/') && !operation.includes('{'),
  )
  expect(lists.length).toBeGreaterThan(8)
  const marks = [
    'acme',
    'support',
    'hourly',
    'quiet',
    'own.read',
    'a value of',
    'mailing',
    '@acme.test',
    'their-session',
    'most',
  ]
  for (const operation of lists) {
    const response = await ask(operation, { params: {} })
    const text = await response.text()
    const found = marks.filter((mark) => text.includes(mark))
    expect({ operation, found }).toEqual({ operation, found: [] })
  }
  const profiles = await ask('GET /api/v1/policies/{kind}', { params: { kind: 'profile' } })
  expect(await profiles.json()).toEqual({ items: [] })
})

test('what belongs to another tenant answers exactly as what is not there', async () => {
  for (const [operation, step] of Object.entries(steps) as [Operation, Step][]) {
    if (step.otherwise !== undefined) continue
    const foreign = await ask(operation, step)
    const missingStep = toMissing(step)
    const missing = await ask(operation, missingStep)
    const { status = 404 } = step
    expect({ operation, status: foreign.status }).toEqual({ operation, status })
    expect(missing.status).toBe(status)
    expect([...foreign.headers.keys()].toSorted()).toEqual([...missing.headers.keys()].toSorted())
    expect({ operation, text: await toPlain(foreign, step) }).toEqual({
      operation,
      text: await toPlain(missing, missingStep),
    })
  }
})

test('what is written under a name of theirs is ours, and theirs stays', async () => {
  const { api, store } = crib
  const put = async (operation: Operation) => {
    const step = steps[operation]
    if (step === undefined) throw new Error(operation)
    expect((await ask(operation, step)).status).toBeLessThan(300)
  }
  await put('PUT /api/v1/secrets/{name}')
  await put('PUT /api/v1/policies/{kind}/{name}')
  const secrets = await store.secrets.read({ tenant: theirs }, ['token'])
  expect(secrets.get('token')).toBe('a value of theirs')
  expect(await api.listPolicyDocuments(them, { kind: 'profile' })).toMatchObject({
    items: [{ body: { allow: ['*.read'] } }],
  })
})

test('what the log says of a refusal does not tell a tool of theirs from one that is not there', async () => {
  const refusalOf = async (name: string) => {
    const { path, init } = toRequest(
      'POST /api/v1/tools/{name}/calls',
      { params: { name }, body: { input: {} } },
      key,
    )
    const response = await app.request(`http://localhost${path}`, init)
    const { refusalId } = (await response.json()) as { refusalId: string }
    const explained = await ask('GET /api/v1/explain/{id}', { params: { id: refusalId } })
    const { items } = await crib.api.readEvents(ownerOf(ours), { limit: 500 })
    const event = items.findLast(({ type }) => type === 'call.refused')
    const texts = [await explained.text(), JSON.stringify(event?.data)]
    return texts.map((text) =>
      text
        .replaceAll(name, '<name>')
        .replaceAll(refusalId, '<id>')
        .replaceAll(/"at":"[^"]*"/g, ''),
    )
  }
  expect(await refusalOf('own.read')).toEqual(await refusalOf('own.rest'))
})

test('naming an agent, a session or a principal of theirs in a query finds nothing', async () => {
  const queries = [
    '/api/v1/tools?agent=support',
    '/api/v1/explain?agent=support',
    '/api/v1/calls?agent=support',
    '/api/v1/calls?principal=owner',
    '/api/v1/events?types=call.completed',
  ]
  for (const path of queries) {
    const response = await app.request(`http://localhost${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const text = await response.text()
    const isNothing = response.status === 404 || text.includes('"items":[]')
    expect({ path, isNothing, text: isNothing ? '' : text.slice(0, 300) }).toEqual({
      path,
      isNothing: true,
      text: '',
    })
  }
})
