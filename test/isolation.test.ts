import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import { createHttpApp, type HttpApp } from '../src/surfaces/http/create-http-app.ts'
import { createMemoryStore } from '../src/testing/memory/create-memory-store.ts'
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
    store: createMemoryStore(),
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
afterAll(() => crib.close())

/** One of everything that a tenant can have. */
async function prepare(): Promise<Record<Operation, Step>> {
  const { api, store } = crib
  const call = await api.call({ tool: 'mail.read', input: {}, caller: them, durable: true })
  const asked = await api.call({ tool: 'mail.send', input: {}, caller: them })
  const again = await api.call({ tool: 'mail.send', input: {}, caller: them })
  const remember = { for: '1h', match: {} }
  await api.decideApproval(them, again.approvalId ?? '', { decision: 'approve', remember })
  const [rule] = await api.listApprovalRules(them)
  const schedule = await api.createSchedule(them, {
    name: 'hourly',
    tool: 'mail.read',
    when: { every: '1h' },
  })
  const made = await api.createKey(them, { name: 'k', scopes: ['tools.call'] })
  await api.writeSecret(them, { name: 'token', value: 'a value of theirs' })
  await api.createAgent(them, agentSchema.parse({ slug: 'support', tools: { allow: ['mail.*'] } }))
  await api.writeDecree(them, { kind: 'profile', name: 'quiet', body: { allow: ['*.read'] } })
  const member = await api.createMember(them, {
    email: 'ann@acme.test',
    name: 'Ann',
    role: 'viewer',
  })
  await store.flush()

  const ofCall = { params: { id: call.callId ?? '' } }
  const ofApproval = { params: { id: asked.approvalId ?? '' } }
  const ofSchedule = { params: { id: schedule.id } }
  const ofAgent = { params: { slug: 'support' } }
  const ofMember = { params: { id: member.id } }
  const ofTenant = { params: { slug: theirs }, status: 403 } as const
  const ofProfile = { params: { kind: 'profile', name: 'quiet' } }
  return {
    'POST /api/v1/tools/{name}/calls': { params: { name: 'own.read' }, body: { input: {} } },
    'GET /api/v1/tools/{name}': { params: { name: 'own.read' } },
    'GET /api/v1/calls/{id}': ofCall,
    'POST /api/v1/calls/{id}/cancel': ofCall,
    'POST /api/v1/calls/{id}/rerun': { ...ofCall, body: {} },
    'GET /api/v1/calls/{id}/artifact': ofCall,
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

test('every route that takes an id is in the walk', () => {
  const withId = operations().filter((operation) => operation.includes('{'))
  expect(withId.length).toBeGreaterThan(20)
  expect(withId.toSorted()).toEqual(Object.keys(steps).toSorted())
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

test('no list shows anything of another tenant', async () => {
  const lists = operations().filter(
    (operation) => operation.startsWith('GET /api/v1/') && !operation.includes('{'),
  )
  expect(lists.length).toBeGreaterThan(8)
  const marks = ['acme', 'support', 'hourly', 'quiet', 'own.read', 'a value of']
  for (const operation of lists) {
    const response = await ask(operation, { params: {} })
    const text = await response.text()
    const found = marks.filter((mark) => text.includes(mark))
    expect({ operation, found }).toEqual({ operation, found: [] })
  }
  const profiles = await ask('GET /api/v1/policies/{kind}', { params: { kind: 'profile' } })
  expect(await profiles.json()).toEqual({ items: [] })
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
  expect(await api.listDecrees(them, 'profile')).toMatchObject([{ body: { allow: ['*.read'] } }])
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
