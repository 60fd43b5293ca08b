import { agentChange, agentRequest } from '../src/features/agents/schemas.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenCrib } from '../src/app/open-crib.ts'
import type { Stores } from '../src/features/stores.ts'
import { type GovernedCrib, openGovernedCrib, operator, specOf } from './setup/governed-crib.ts'

let governed: GovernedCrib
let crib: OpenCrib
let store: Stores
const seenBy = (agent: string) => governed.seenBy(agent)
const told = (type: string) => governed.told(type)

beforeAll(async () => {
  governed = await openGovernedCrib()
  ;({ crib, store } = governed)
})
afterAll(() => governed.close())

test('an agent is created, changed and deleted, each with an event', async () => {
  const made = await crib.api.createAgent(
    operator,
    specOf('support', { tools: { profile: 'readers', allow: ['mail.send'] } }),
  )
  expect(made).toMatchObject({
    slug: 'support',
    isDeclared: false,
    version: 1,
    updatedBy: operator.principal,
    grants: [{ pattern: 'mail.send', kind: 'allow', sources: ['manual'] }],
    tools: { profile: 'readers', allow: ['mail.send'], deny: [] },
    warnings: [],
  })
  expect(await seenBy('support')).toEqual(['files.read', 'mail.read', 'mail.send'])
  await expect(crib.api.createAgent(operator, specOf('support'))).rejects.toMatchObject({
    code: 'conflict',
  })
  const changed = await crib.api.changeAgent(operator, {
    slug: 'support',
    tools: { profile: null, deny: ['mail.purge'] },
    autonomy: 'conservative',
    version: 1,
  })
  expect(changed).toMatchObject({
    version: 2,
    autonomy: 'conservative',
    tools: { allow: ['mail.send'], deny: ['mail.purge'] },
  })
  expect(await seenBy('support')).toEqual(['mail.send'])
  await expect(
    crib.api.changeAgent(operator, { slug: 'support', model: 'x', version: 1 }),
  ).rejects.toMatchObject({ code: 'conflict', details: { version: 2 } })
  await crib.api.deleteAgent(operator, { slug: 'support' })
  await expect(crib.api.findAgent(operator, { slug: 'support' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(seenBy('support')).rejects.toMatchObject({ code: 'not_found' })
  expect(await told('agent.changed')).toEqual([{ agent: 'support', parts: ['tools', 'autonomy'] }])
  expect(await told('agent.deleted')).toEqual([{ agent: 'support' }])
})

test('an agent of the same name starts with nothing of the one before', async () => {
  await crib.api.createAgent(operator, specOf('again', { tools: { allow: ['mail.*'] } }))
  await crib.api.deleteAgent(operator, { slug: 'again' })
  await crib.api.createAgent(operator, specOf('again'))
  expect(await seenBy('again')).toEqual([])
  await crib.api.deleteAgent(operator, { slug: 'again' })
})

test('secrets that an agent left behind are not those of the next one of its name', async () => {
  // As one leaves them that configuration declares no more.
  const of = { tenant: 'default', agent: 'ghost', by: operator.principal }
  await store.secrets.write(of, 'CRM_TOKEN', 'of the one before')
  await crib.api.createAgent(operator, specOf('ghost'))
  const { items } = await crib.api.listSecrets(operator)
  expect(items.filter(({ agent }) => agent === 'ghost')).toEqual([])
  await store.secrets.write(of, 'CRM_TOKEN', 'of this one')
  await expect(crib.api.createAgent(operator, specOf('ghost'))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect((await crib.api.listSecrets(operator)).items).toMatchObject([{ agent: 'ghost' }])
  await crib.api.deleteAgent(operator, { slug: 'ghost' })
})

test('keys and schedules of an agent end with it, and do not act for the next one of its name', async () => {
  const made = () =>
    crib.api.createAgent(operator, specOf('worker', { tools: { allow: ['mail.*'] } }))
  const work = { name: 'often', tool: 'mail.read', agent: 'worker', when: { every: '1h' } } as const
  await made()
  const key = { name: 'bound', scopes: ['tools.call'], agent: 'worker' }
  const bound = await crib.api.createKey(operator, key)
  const other = await crib.api.createKey(operator, { name: 'unbound', scopes: ['tools.call'] })
  const active = await crib.api.createSchedule(operator, work)
  const paused = await crib.api.createSchedule(operator, { ...work, name: 'paused' })
  await crib.api.updateSchedule(operator, { id: paused.id, paused: true })
  await crib.api.deleteAgent(operator, { slug: 'worker' })
  await made()
  expect(await crib.api.authenticate(bound.token, 'api')).toBeUndefined()
  expect(await crib.api.authenticate(other.token, 'api')).toBeDefined()
  const reason = 'The agent worker was deleted'
  for (const { id } of [active, paused]) {
    const off = await crib.api.findSchedule(operator, { id })
    expect(off).toMatchObject({ state: 'disabled', reason })
    expect(off.nextRunAt).toBeUndefined()
  }
  expect(await told('key.revoked')).toEqual([{ id: bound.key.id }])
  expect(await told('schedule.disabled')).toEqual([
    { id: active.id, name: 'often', reason },
    { id: paused.id, name: 'paused', reason },
  ])
  await crib.api.deleteAgent(operator, { slug: 'worker' })
})

test('more grants than can be read again are refused, and the agent works on', async () => {
  const many = (name: string) => Array.from({ length: 5_001 }, (_, index) => `${name}.t${index}`)
  const tools = { allow: many('a'), deny: many('b') }
  await expect(crib.api.createAgent(operator, specOf('lists', { tools }))).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  await crib.api.createAgent(operator, specOf('lists', { tools: { allow: ['mail.read'] } }))
  await expect(crib.api.changeAgent(operator, { slug: 'lists', tools })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  expect(await seenBy('lists')).toEqual(['mail.read'])
  await crib.api.deleteAgent(operator, { slug: 'lists' })
})

test('a yes that was given to an agent is none to the next one of its name', async () => {
  const made = () =>
    crib.api.createAgent(
      operator,
      specOf('asks', { autonomy: 'conservative', tools: { allow: ['*'] } }),
    )
  const ask = () =>
    crib.api.call({ tool: 'mail.send', input: {}, caller: { ...operator, agent: 'asks' } })
  await made()
  const { approvalId = '' } = await ask()
  const remember = { for: '1h', match: 'any-input' } as const
  await crib.api.decideApproval(operator, { id: approvalId, decision: 'approve', remember })
  expect((await ask()).status).toBe('completed')
  await crib.api.deleteAgent(operator, { slug: 'asks' })
  expect(await told('approval.rule_revoked')).toHaveLength(1)
  await made()
  expect((await ask()).status).toBe('waiting')
  await crib.api.deleteAgent(operator, { slug: 'asks' })
})

test('settings of unknown tools and options that do not fit are refused with the place', async () => {
  const settings = { 'mail.raed': { enabled: false } }
  await expect(crib.api.createAgent(operator, specOf('x', { settings }))).rejects.toMatchObject({
    code: 'invalid_policy',
    issues: [{ path: '/settings/mail.raed', message: expect.stringContaining('"mail.read"?') }],
  })
  const odd = { 'mail.read': { options: { region: 'moon' } } }
  await expect(
    crib.api.createAgent(operator, specOf('x', { settings: odd })),
  ).rejects.toMatchObject({
    code: 'invalid_policy',
    issues: [{ path: '/settings/mail.read/options/region' }],
  })
  for (const tools of [{ profile: 'nobody' }, { allow: ['group:nobody'] }, { allow: ['?'] }]) {
    await expect(crib.api.createAgent(operator, specOf('x', { tools }))).rejects.toMatchObject({
      code: 'invalid_policy',
    })
  }
})

test('patterns say what they match before they are saved, hidden tools included', async () => {
  const { items: matches } = await crib.api.matchPatterns(operator, {
    patterns: ['*', 'no.such', 'a b', 'group:nope'],
  })
  expect(matches.map(({ count }) => count)).toEqual([expect.any(Number), 0, 0, 0])
  expect(matches[0]?.count).toBeGreaterThan(0)
  expect(matches.map(({ problem }) => problem !== undefined)).toEqual([false, false, true, true])
  const nobody = { ...operator, permissions: ['tools.call'] }
  await expect(crib.api.matchPatterns(nobody, { patterns: ['*'] })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('a change that says nothing of tools leaves the grants as they are, as simulated', async () => {
  const tools = { profile: 'full', allow: ['mail.read'], deny: ['mail.purge', 'files.*'] }
  await crib.api.createAgent(operator, specOf('steady', { tools }))
  const { grants } = await crib.api.findAgent(operator, { slug: 'steady' })
  const change = { name: 'Steady', model: 'acme/one' }
  const simulated = await crib.api.simulate(operator, { agents: { steady: change } })
  expect(simulated.items).toEqual([])
  expect((await crib.api.changeAgent(operator, { slug: 'steady', ...change })).grants).toEqual(
    grants,
  )
  expect(grants).toHaveLength(3)
  const bare = { tools: { profile: null } }
  expect((await crib.api.changeAgent(operator, { slug: 'steady', ...bare })).grants).toEqual(grants)
  await crib.api.deleteAgent(operator, { slug: 'steady' })
})

test('an agent can be changed while a tool that it names is away', async () => {
  await crib.api.createAgent(operator, specOf('old', { tools: { allow: ['mail.*'] } }))
  const settings = { 'mcp:crm:find': { enabled: false } }
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('agent', 'old', { body: { ...specOf('old'), settings } }),
  )
  const change = { autonomy: 'conservative' as const, tools: { deny: ['mail.send'] } }
  await crib.api.changeAgent(operator, { slug: 'old', ...change })
  expect(await seenBy('old')).toEqual(['mail.purge', 'mail.read'])
  const request = { agents: { old: { autonomy: 'standard' as const } } }
  expect((await crib.api.simulate(operator, request)).items).toMatchObject([{ agent: 'old' }])
  const unknown = { ...settings, 'mcp:crm:drop': { enabled: false } }
  await expect(
    crib.api.changeAgent(operator, { slug: 'old', settings: unknown }),
  ).rejects.toMatchObject({
    issues: [{ path: '/settings/mcp:crm:drop' }],
  })
  await crib.api.deleteAgent(operator, { slug: 'old' })
})

test('options that an operator sets reach the tool, and its defaults otherwise', async () => {
  const settings = { 'mail.read': { options: { region: 'us' } } }
  await crib.api.createAgent(operator, specOf('opted', { tools: { allow: ['mail.*'] }, settings }))
  const call = (agent?: string) =>
    crib.api.call({ tool: 'mail.read', input: {}, caller: { ...operator, agent } })
  expect(await call('opted')).toMatchObject({ output: { options: { region: 'us' } } })
  expect(await call()).toMatchObject({ output: { options: { region: 'eu' } } })
})

test('execution is a setting: what answers when done answers at once', async () => {
  const settings = { 'mail.read': { execution: 'background' } }
  await crib.api.createAgent(operator, specOf('later', { tools: { allow: ['mail.*'] }, settings }))
  const result = await crib.api.call({
    tool: 'mail.read',
    input: {},
    caller: { ...operator, agent: 'later' },
  })
  expect(result).toEqual({ callId: expect.any(String), status: 'running' })
  const call = await crib.api.findCall(operator, { id: result.callId ?? '', wait: 5 })
  expect(call.status).toBe('completed')
})

test('grants are added and removed, also for a declared agent, whose declared grants stay', async () => {
  const files = { pattern: 'files.*', kind: 'allow' } as const
  const agent = await crib.api.addGrant(operator, { slug: 'declared', ...files })
  expect(agent.grants).toContainEqual({ ...files, sources: ['manual'] })
  expect(await seenBy('declared')).toEqual(['files.read', 'mail.read', 'mail.send'])
  await crib.api.addGrant(operator, { slug: 'declared', ...files })
  await crib.api.removeGrant(operator, { slug: 'declared', ...files })
  expect(await seenBy('declared')).toEqual(['mail.read', 'mail.send'])
  await expect(
    crib.api.removeGrant(operator, { slug: 'declared', ...files }),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    crib.api.removeGrant(operator, { slug: 'declared', pattern: 'mail.*', kind: 'allow' }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await expect(
    crib.api.changeAgent(operator, { slug: 'declared', autonomy: 'autonomous' }),
  ).rejects.toMatchObject({ code: 'conflict' })
  expect(await told('grant.added')).toContainEqual({
    agent: 'declared',
    ...files,
    source: 'manual',
  })
})

test('one tool is turned off where a wider grant remains, and a skill that holds it is named', async () => {
  await crib.api.turnOffTool(operator, { slug: 'declared', name: 'mail.send' })
  expect(await seenBy('declared')).toEqual(['mail.read'])
  await crib.api.removeGrant(operator, { slug: 'declared', pattern: 'mail.send', kind: 'deny' })
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('grants', 'declared', {
      body: [{ pattern: 'mail.read', kind: 'allow', sources: ['skill:mailing'] }],
    }),
  )
  await expect(
    crib.api.turnOffTool(operator, { slug: 'declared', name: 'mail.read' }),
  ).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('mailing'),
  })
})

test('turning a tool off takes nothing from an agent that is closed at the moment', async () => {
  const profile = { kind: 'profile', name: 'letters' } as const
  await crib.api.writePolicyDocument(operator, { ...profile, body: { allow: ['mail.*'] } })
  const tools = { profile: 'letters', deny: ['mail.purge'] }
  await crib.api.createAgent(operator, specOf('writer', { tools }))
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('profile', 'letters', { body: 'mail.*' }),
  )
  await expect.poll(() => seenBy('writer')).toEqual([])
  await expect(
    crib.api.turnOffTool(operator, { slug: 'writer', name: 'mail.send' }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Unknown profile "letters"'),
  })
  await crib.api.writePolicyDocument(operator, { ...profile, body: { allow: ['mail.*'] } })
  expect(await seenBy('writer')).toEqual(['mail.read', 'mail.send'])
  await crib.api.deleteAgent(operator, { slug: 'writer' })
  await crib.api.deletePolicyDocument(operator, profile)
})

test('every field that an agent is made with can be changed, and cleared where it has no default', async () => {
  const made = {
    name: 'M',
    description: 'Knows A.',
    maxSteps: 3,
    maxTurnTokens: 5000,
    providerTools: [{ tool: 'openai.web_search', args: {} }],
    permissions: ['tools.call'],
  }
  await crib.api.createAgent(operator, specOf('fields', made))
  const change = {
    name: 'N',
    description: 'Knows B.',
    maxSteps: 5,
    maxTurnTokens: 9000,
    providerTools: [],
    permissions: [],
    instructions: 'Be brief.',
  }
  const parsed = agentChange.parse(change)
  expect(await crib.api.changeAgent(operator, { slug: 'fields', ...parsed })).toMatchObject(change)
  const cleared = Object.fromEntries(Object.keys(made).map((key) => [key, null]))
  const bare = await crib.api.changeAgent(operator, {
    slug: 'fields',
    ...agentChange.parse(cleared),
  })
  for (const key of Object.keys(made)) expect(bare).not.toHaveProperty(key)
  expect(bare.instructions).toBe('Be brief.')
  const shown = Object.keys(agentChange.shape).filter((key) => key !== 'version')
  expect(shown.toSorted()).toEqual(
    Object.keys(agentRequest.shape)
      .filter((key) => key !== 'slug')
      .toSorted(),
  )
})

test('an agent without a description is not a tool of others', async () => {
  const names = async () => {
    const { items } = await crib.api.listTools(operator, { limit: 100 })
    return items.map(({ name }) => name)
  }
  const spec = specOf('asked', { description: 'Knows A.', model: 'demo' })
  await crib.api.createAgent(operator, spec)
  await expect.poll(names).toContain('agent:asked')
  await crib.api.changeAgent(operator, {
    slug: 'asked',
    ...agentChange.parse({ description: null }),
  })
  await expect.poll(names).not.toContain('agent:asked')
})
