import { afterEach, describe, expect, test } from 'vitest'
import type { Caller } from '../src/core/kernel/call.ts'
import type { CallRequest } from '../src/core/kernel/call-request.ts'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
const agents = [
  { slug: 'support', name: 'Support' },
  { slug: 'billing', name: 'Billing' },
]

function tool(name: string, more: { tenants?: string[]; runtimes?: 'web'[] } = {}) {
  return defineTool({
    name,
    description: 'Waits until it is told to stop, or answers.',
    effect: 'read',
    ...more,
    inputSchema: z.object({ wait: z.boolean().optional() }),
    execute: ({ wait }) => (wait === true ? new Promise<string>(() => undefined) : 'done'),
  })
}

let crib: Crib | undefined
afterEach(async () => {
  await crib?.close()
  crib = undefined
})

async function open(store?: OpenStores): Promise<Crib> {
  crib = await createTestCrib({
    store,
    config: { agents, tenants: [{ slug: 'other', name: 'Other' }], limits: { drainMs: 0 } },
    tools: [
      tool('test.open'),
      tool('test.foreign', { tenants: ['other'] }),
      tool('test.page', { runtimes: ['web'] }),
    ],
  })
  return crib
}

/** The caller that a real key with these scopes makes. */
async function keyed({ api }: Crib, scopes: string[], agent?: string): Promise<Caller> {
  const { token } = await api.createKey(owner, { name: scopes.join(), scopes, agent })
  const caller = await api.authenticate(token, 'api')
  if (caller === undefined) throw new Error('The key is not known')
  return caller
}

describe('a key that is bound to an agent', () => {
  test('makes keys for that agent alone, and without a word too', async () => {
    const opened = await open()
    const { api } = opened
    const bound = await keyed(opened, ['*'], 'support')
    const make = (agent?: string) =>
      api.createKey(bound, { name: 'more', scopes: ['tools.call'], agent })
    expect([(await make()).key.agent, (await make('support')).key.agent]).toEqual([
      'support',
      'support',
    ])
    await expect(make('billing')).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('sees and revokes keys of that agent alone', async () => {
    const opened = await open()
    const { api } = opened
    const bound = await keyed(opened, ['keys.manage'], 'support')
    const { key: wide } = await api.createKey(owner, { name: 'wide', scopes: ['tools.call'] })
    expect((await api.listKeys(bound, { limit: 10 })).items.map(({ agent }) => agent)).toEqual([
      'support',
    ])
    await expect(api.revokeKey(bound, { id: wide.id })).rejects.toMatchObject({ code: 'not_found' })
    await api.revokeKey(bound, { id: bound.principal.id })
    expect(
      (await api.listKeys(owner, { limit: 10 })).items.find(({ id }) => id === wide.id)?.revokedAt,
    ).toBeUndefined()
  })

  test('sets, lists and deletes secrets of that agent alone', async () => {
    const opened = await open()
    const { api } = opened
    const bound = await keyed(opened, ['secrets.write'], 'support')
    const agentsOfSecrets = async (caller: Caller) => {
      const slugs = (await api.listSecrets(caller)).items.map(({ agent = '' }) => agent)
      return slugs.toSorted((one, other) => (one < other ? -1 : 1))
    }
    await api.writeSecret(owner, { name: 'token', value: 'of the tenant' })
    await api.writeSecret(owner, { name: 'token', value: 'of billing', agent: 'billing' })
    expect(await api.writeSecret(bound, { name: 'token', value: 'mine alone' })).toMatchObject({
      agent: 'support',
      version: 1,
    })
    for (const change of [
      api.writeSecret(bound, { name: 'token', value: 'x', agent: 'billing' }),
      api.deleteSecret(bound, { name: 'token', agent: 'billing' }),
    ])
      await expect(change).rejects.toMatchObject({ code: 'forbidden' })
    expect(await agentsOfSecrets(bound)).toEqual(['', 'support'])
    await api.deleteSecret(bound, { name: 'token' })
    await expect(api.deleteSecret(bound, { name: 'token' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await agentsOfSecrets(owner)).toEqual(['', 'billing'])
  })
})

describe('explain', () => {
  test('needs a permission', async () => {
    const opened = await open()
    const { api } = opened
    const reader = await keyed(opened, ['audit.read'])
    await expect(api.explain(reader, {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('keeps quiet about tools of other tenants and runtimes, unless policy may be read', async () => {
    const opened = await open()
    const { api } = opened
    const caller = await keyed(opened, ['tools.call'])
    const reader = await keyed(opened, ['policy.read'])
    const names = async (as: Caller) => {
      const { items } = await api.explain(as, {})
      return items.map((one) => one.tool).filter((tool) => tool.startsWith('test.'))
    }
    expect(await names(caller)).toEqual(['test.open'])
    expect(await names(reader)).toEqual(['test.foreign', 'test.open', 'test.page'])
    const unknown = await api
      .explain(caller, { tool: 'test.none' })
      .catch((error: unknown) => error)
    const hidden = await api.explain(caller, { tool: 'test.foreign' }).catch((error) => error)
    expect(unknown).toMatchObject({ code: 'not_found' })
    expect(String(hidden)).toBe(String(unknown).replace('none', 'foreign'))
    await expect(api.explain(caller, { runtime: 'web' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await api.explain(reader, { tool: 'test.foreign' })).items[0]?.stoppedBy).toBe('tenant')
  })
})

test('explain names to a caller without policy.read what it sees, and nothing else', async () => {
  const opened = await open()
  const { api } = opened
  const bound = await keyed(opened, ['tools.call'], 'support')
  expect(await api.explain(bound, {})).toEqual({ items: [] })
  const refusalOf = (tool: string) =>
    api.explain(bound, { tool }).then(
      () => 'told',
      ({ message }: Error) => message,
    )
  expect(await refusalOf('test.open')).toBe('No tool is registered as "test.open"')
  expect(await refusalOf('test.none')).toBe('No tool is registered as "test.none"')
  await api.addGrant(owner, { slug: 'support', pattern: 'test.open', kind: 'allow' })
  expect((await api.explain(bound, {})).items.map((one) => one.tool)).toEqual(['test.open'])
})

test('a missing item says where to look', async () => {
  const { api } = await open()
  const fixes = await Promise.all(
    [
      api.findMember(owner, { id: 'x' }),
      api.removeMember(owner, { id: 'x' }),
      api.revokeKey(owner, { id: 'x' }),
      api.findSchedule(owner, { id: 'x' }),
      api.findLimit(owner, { name: 'x', limit: 1 }),
      api.deleteSecret(owner, { name: 'x' }),
      api.findCall(owner, { id: 'x' }),
      api.findApproval(owner, { id: 'x' }),
      api.findTenant(owner, { slug: 'x' }),
    ].map((found: Promise<unknown>) =>
      found.then(
        () => 'found',
        ({ code, fix }: { code: string; fix?: string }) => `${code}: ${fix}`,
      ),
    ),
  )
  for (const fix of fixes) expect(fix).toMatch(/^not_found: toolcrib [a-z]+ lists /)
})

describe('a running call', () => {
  test('is cancelled by its caller or a manager of calls, not by readers', async () => {
    const opened = await open()
    const { api } = opened
    const caller = await keyed(opened, ['tools.call'])
    const auditor = await keyed(opened, ['tools.call', 'audit.read'])
    const stranger = await keyed(opened, ['tools.call'])
    const manager = await keyed(opened, ['calls.manage'])
    const begin = async () => {
      const request = { tool: 'test.open', input: { wait: true }, caller, respondAsync: true }
      return (await api.call(request)).callId ?? ''
    }
    const first = await begin()
    await expect(api.cancelCall(auditor, { id: first })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(api.cancelCall(stranger, { id: first })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await api.cancelCall(caller, { id: first })).status).toBe('cancelled')
    expect((await api.cancelCall(manager, { id: await begin() })).status).toBe('cancelled')
  })

  test('is not handed to somebody else who has the same idempotency key', async () => {
    const opened = await open()
    const [anna, ben] = [await keyed(opened, ['tools.call']), await keyed(opened, ['tools.call'])]
    const auditor = await keyed(opened, ['tools.call', 'audit.read'])
    const ask = (caller: Caller) =>
      opened.api.call({ tool: 'test.open', input: {}, caller, idempotencyKey: 'order-7' })
    const first = await ask(anna)
    expect(first).toMatchObject({ status: 'completed', output: 'done' })
    expect(await ask(anna)).toEqual(first)
    expect(await ask(auditor)).toEqual(first)
    expect(await ask(ben)).toMatchObject({
      status: 'failed',
      error: { code: 'idempotency_mismatch' },
    })
  })

  test('is made again only by who may call tools', async () => {
    const opened = await open()
    const { api } = opened
    const caller = await keyed(opened, ['tools.call'])
    const auditor = await keyed(opened, ['audit.read'])
    const { callId = '' } = await api.call({ tool: 'test.open', input: {}, caller, durable: true })
    await expect(api.rerunCall(auditor, { id: callId })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await api.rerunCall(caller, { id: callId })).status).toBe('completed')
  })

  test('is looked at once for all who wait for it, and everybody leaves in time', async () => {
    const store = await freshStore()
    let looks = 0
    const find = store.calls.find.bind(store.calls)
    store.calls.find = (tenant, id) => {
      looks += 1
      return find(tenant, id)
    }
    const { api, call } = await open(store)
    const request = { tool: 'test.open', input: { wait: true }, caller: owner, respondAsync: true }
    const { callId = '' } = await api.call(request)
    const left = new AbortController()
    const gone = api.findCall(owner, { id: callId, wait: 60 }, { signal: left.signal })
    const waiting = Array.from({ length: 50 }, () => api.findCall(owner, { id: callId, wait: 60 }))
    const short = await api.findCall(owner, { id: callId, wait: 0.03 })
    left.abort()
    expect([short.status, (await gone).status]).toEqual(['running', 'running'])
    looks = 0
    for (let i = 0; i < 10; i += 1) await call('test.open', {}, { durable: true })
    expect(looks).toBeLessThan(50)
    await api.cancelCall(owner, { id: callId })
    const ends = await Promise.all(waiting)
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['cancelled']))
    expect((await api.findCall(owner, { id: callId, wait: 60 })).status).toBe('cancelled')
  })
})

describe('a request of the library', () => {
  test.each<[string, Partial<CallRequest>]>([
    ['a time that is no number', { timeoutMs: Number.NaN }],
    ['a negative time', { timeoutMs: -1 }],
    ['a time beyond every timer', { timeoutMs: 1e12 }],
    ['an empty idempotency key', { idempotencyKey: '' }],
    ['a long idempotency key', { idempotencyKey: 'k'.repeat(256) }],
    ['a NUL in an idempotency key', { idempotencyKey: 'a\0b' }],
    ['a long session id', { caller: { ...owner, sessionId: 's'.repeat(201) } }],
  ])('with %s is refused before there is a call', async (_what, more) => {
    const { api } = await open()
    const result = await api.call({ tool: 'test.open', input: {}, caller: owner, ...more })
    expect([result.status, result.error?.code, result.callId]).toEqual([
      'failed',
      'invalid_request',
      undefined,
    ])
  })

  test('at the edge of what fits is carried out', async () => {
    const { call } = await open()
    const edge = {
      timeoutMs: 86_400_000,
      idempotencyKey: 'k'.repeat(255),
      sessionId: 's'.repeat(200),
    }
    expect((await call('test.open', {}, edge)).status).toBe('completed')
  })

  test('that leaves the events in the middle leaves no listener behind', async () => {
    const { api, call, events } = await open()
    await call('test.open', {}, { durable: true })
    let watching = 0
    const { followEvents } = api
    api.followEvents = async (...asked) => {
      const follower = await followEvents(...asked)
      watching += 1
      const close = () => {
        watching -= 1
        follower.close()
      }
      return { ...follower, close }
    }
    for await (const event of events({ follow: true })) {
      expect([event.type, watching]).toEqual([event.type, 1])
      break
    }
    expect(watching).toBe(0)
  })
})

test('managing agents tells nothing of tools that are kept for other tenants', async () => {
  const { api } = await open()
  const slug = 'new'
  const setting = (name: string) =>
    api.createAgent(owner, agentSchema.parse({ slug, settings: { [name]: { enabled: false } } }))
  const wordsOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { message: string }) => error.message.replaceAll(/test\.(?:foreign|missing)/g, 'X'),
    )
  const foreign = await wordsOf(setting('test.foreign'))
  expect(foreign).toContain('no tool is called X; Known: ')
  // Nor does the list of those that are known hold it.
  expect(foreign.match(/X/g)).toHaveLength(1)
  await api.createAgent(owner, agentSchema.parse({ slug, tools: { allow: ['test.foreign'] } }))
  expect((await api.findAgent(owner, { slug })).warnings).toEqual([
    'allow test.foreign matches no tool at the moment',
  ])
  const off = (name: string) => wordsOf(api.turnOffTool(owner, { slug, name }))
  expect(await off('test.foreign')).toBe(await off('test.missing'))
})

test('the catalogue names no tool of another tenant, where a page ends neither', async () => {
  crib = await createTestCrib({
    config: { tenants: [{ slug: 'other' }] },
    tools: [
      tool('a.kept', { tenants: ['default'] }),
      tool('b.open'),
      tool('c.kept', { tenants: ['x'] }),
    ],
  })
  const { api } = crib
  const reader = { ...owner, tenant: 'other' }
  await api.createAgent(reader, agentSchema.parse({ slug: 'nosy', tools: { allow: ['a.kept'] } }))
  const seen: (string | undefined)[] = []
  let after: string | undefined
  do {
    const page = await api.listCatalogue(reader, { limit: 1, after })
    seen.push(...page.items.map((entry) => entry.tool), page.next)
    after = page.next
  } while (after !== undefined)
  expect(seen.join(' ')).not.toContain('kept')
  expect(seen).toContain('b.open')
})
