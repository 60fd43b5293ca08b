import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/call.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import type { Store } from '../src/core/ports.ts'
import { settingsFor } from '../src/store/contract/records.ts'
import { openStore } from '../src/store/open-store.ts'
import { createMemoryStore } from '../src/testing/memory/create-memory-store.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'Says what it was given, for tests of who may use it.',
    effect: 'read',
    inputSchema: z.object({}),
    optionsSchema: z.object({ region: z.enum(['eu', 'us']).default('eu') }),
    execute: (_input, { options }) => ({ options }),
    ...more,
  })

let store: Store
let crib: OpenCrib
const operator: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const spec = (slug: string, more: object = {}) => agentSchema.parse({ slug, ...more })
const seenBy = async (agent: string) =>
  (await crib.api.listTools({ ...operator, runtime: 'chat' }, { agent })).items.map(
    ({ name }) => name,
  )
const told = async (type: string) => {
  const { items } = await store.events.read('default', { limit: 500 })
  return items.filter((event) => event.type === type).map(({ data }) => data)
}

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'toolcrib-governance-'))
  // The real store, because a change that waits for the store inside itself hangs there alone.
  store = await openStore({ kind: 'pglite', dataDir }, settingsFor())
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    store,
    env: {},
    config: {
      tools: [],
      agents: [{ slug: 'declared', tools: { allow: ['mail.*'], deny: ['mail.purge'] } }],
      profiles: { readers: { allow: ['mail.read', 'files.read'] } },
      tenants: [{ slug: 'acme' }],
    },
    tools: [
      tool('mail.read'),
      tool('mail.send', { effect: 'write', openWorld: true }),
      tool('mail.purge', { effect: 'destructive' }),
      tool('files.read', { aliases: ['disk.read'] }),
    ],
    onWarning: () => undefined,
  })
})
afterAll(async () => {
  await crib.close()
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('an agent is made, changed and deleted, and each is an event', async () => {
  const made = await crib.api.createAgent(
    operator,
    spec('support', { tools: { profile: 'readers', allow: ['mail.send'] } }),
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
  await expect(crib.api.createAgent(operator, spec('support'))).rejects.toMatchObject({
    code: 'conflict',
  })
  const changed = await crib.api.changeAgent(operator, 'support', {
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
    crib.api.changeAgent(operator, 'support', { model: 'x', version: 1 }),
  ).rejects.toMatchObject({ code: 'conflict', details: { version: 2 } })
  await crib.api.deleteAgent(operator, 'support')
  await expect(crib.api.findAgent(operator, 'support')).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(seenBy('support')).rejects.toMatchObject({ code: 'not_found' })
  expect(await told('agent.changed')).toEqual([{ agent: 'support', parts: ['tools', 'autonomy'] }])
  expect(await told('agent.deleted')).toEqual([{ agent: 'support' }])
})

test('an agent of the same name starts with nothing of the one before', async () => {
  await crib.api.createAgent(operator, spec('again', { tools: { allow: ['mail.*'] } }))
  await crib.api.deleteAgent(operator, 'again')
  await crib.api.createAgent(operator, spec('again'))
  expect(await seenBy('again')).toEqual([])
  await crib.api.deleteAgent(operator, 'again')
})

test('secrets that an agent left behind are not those of the next one of its name', async () => {
  // As one leaves them that configuration declares no more.
  const of = { tenant: 'default', agent: 'ghost', by: operator.principal }
  await store.secrets.write(of, 'CRM_TOKEN', 'of the one before')
  await crib.api.createAgent(operator, spec('ghost'))
  const { items } = await crib.api.listSecrets(operator)
  expect(items.filter(({ agent }) => agent === 'ghost')).toEqual([])
  await store.secrets.write(of, 'CRM_TOKEN', 'of this one')
  await expect(crib.api.createAgent(operator, spec('ghost'))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect((await crib.api.listSecrets(operator)).items).toMatchObject([{ agent: 'ghost' }])
  await crib.api.deleteAgent(operator, 'ghost')
})

test('more grants than can be read again are refused, and the agent works on', async () => {
  const many = (name: string) => Array.from({ length: 5_001 }, (_, index) => `${name}.t${index}`)
  const tools = { allow: many('a'), deny: many('b') }
  await expect(crib.api.createAgent(operator, spec('lists', { tools }))).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  await crib.api.createAgent(operator, spec('lists', { tools: { allow: ['mail.read'] } }))
  await expect(crib.api.changeAgent(operator, 'lists', { tools })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  expect(await seenBy('lists')).toEqual(['mail.read'])
  await crib.api.deleteAgent(operator, 'lists')
})

test('a yes that was given to an agent is none to the next one of its name', async () => {
  const made = () =>
    crib.api.createAgent(
      operator,
      spec('asks', { autonomy: 'conservative', tools: { allow: ['*'] } }),
    )
  const ask = () =>
    crib.api.call({ tool: 'mail.send', input: {}, caller: { ...operator, agent: 'asks' } })
  await made()
  const { approvalId = '' } = await ask()
  const remember = { for: '1h', match: 'any-input' } as const
  await crib.api.decideApproval(operator, approvalId, { decision: 'approve', remember })
  expect((await ask()).status).toBe('completed')
  await crib.api.deleteAgent(operator, 'asks')
  expect(await told('approval.rule_revoked')).toHaveLength(1)
  await made()
  expect((await ask()).status).toBe('waiting')
  await crib.api.deleteAgent(operator, 'asks')
})

test('settings of unknown tools and options that do not fit are refused with the place', async () => {
  const settings = { 'mail.raed': { enabled: false } }
  await expect(crib.api.createAgent(operator, spec('x', { settings }))).rejects.toMatchObject({
    code: 'invalid_policy',
    issues: [{ path: '/settings/mail.raed', message: expect.stringContaining('"mail.read"?') }],
  })
  const odd = { 'mail.read': { options: { region: 'moon' } } }
  await expect(crib.api.createAgent(operator, spec('x', { settings: odd }))).rejects.toMatchObject({
    code: 'invalid_policy',
    issues: [{ path: '/settings/mail.read/options/region' }],
  })
  for (const tools of [{ profile: 'nobody' }, { allow: ['group:nobody'] }, { allow: ['?'] }]) {
    await expect(crib.api.createAgent(operator, spec('x', { tools }))).rejects.toMatchObject({
      code: 'invalid_policy',
    })
  }
})

test('a change that says nothing of tools leaves the grants as they are, as simulated', async () => {
  const tools = { profile: 'full', allow: ['mail.read'], deny: ['mail.purge', 'files.*'] }
  await crib.api.createAgent(operator, spec('steady', { tools }))
  const { grants } = await crib.api.findAgent(operator, 'steady')
  const change = { name: 'Steady', model: 'acme/one' }
  const simulated = await crib.api.simulate(operator, { agents: { steady: change } })
  expect(simulated.items).toEqual([])
  expect((await crib.api.changeAgent(operator, 'steady', change)).grants).toEqual(grants)
  expect(grants).toHaveLength(3)
  const bare = { tools: { profile: null } }
  expect((await crib.api.changeAgent(operator, 'steady', bare)).grants).toEqual(grants)
  await crib.api.deleteAgent(operator, 'steady')
})

test('what an agent says of a tool that is away does not keep it from being changed', async () => {
  await crib.api.createAgent(operator, spec('old', { tools: { allow: ['mail.*'] } }))
  const settings = { 'mcp:crm:find': { enabled: false } }
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('agent', 'old', { body: { ...spec('old'), settings } }),
  )
  const change = { autonomy: 'conservative', tools: { deny: ['mail.send'] } } as const
  await crib.api.changeAgent(operator, 'old', change)
  expect(await seenBy('old')).toEqual(['mail.purge', 'mail.read'])
  const request = { agents: { old: { autonomy: 'standard' as const } } }
  expect((await crib.api.simulate(operator, request)).items).toMatchObject([{ agent: 'old' }])
  const unknown = { ...settings, 'mcp:crm:drop': { enabled: false } }
  await expect(crib.api.changeAgent(operator, 'old', { settings: unknown })).rejects.toMatchObject({
    issues: [{ path: '/settings/mcp:crm:drop' }],
  })
  await crib.api.deleteAgent(operator, 'old')
})

test('options that an operator sets reach the tool, and its defaults otherwise', async () => {
  const settings = { 'mail.read': { options: { region: 'us' } } }
  await crib.api.createAgent(operator, spec('opted', { tools: { allow: ['mail.*'] }, settings }))
  const call = (agent?: string) =>
    crib.api.call({ tool: 'mail.read', input: {}, caller: { ...operator, agent } })
  expect(await call('opted')).toMatchObject({ output: { options: { region: 'us' } } })
  expect(await call()).toMatchObject({ output: { options: { region: 'eu' } } })
})

test('execution is a setting: what answers when done answers at once', async () => {
  const settings = { 'mail.read': { execution: 'background' } }
  await crib.api.createAgent(operator, spec('later', { tools: { allow: ['mail.*'] }, settings }))
  const result = await crib.api.call({
    tool: 'mail.read',
    input: {},
    caller: { ...operator, agent: 'later' },
  })
  expect(result).toEqual({ callId: expect.any(String), status: 'running' })
  const call = await crib.api.findCall(operator, result.callId ?? '', { waitMs: 5000 })
  expect(call.status).toBe('completed')
})

test('grants are added and taken away by hand, also of a declared agent; what is declared stays', async () => {
  const files = { pattern: 'files.*', kind: 'allow' } as const
  const agent = await crib.api.addGrant(operator, 'declared', files)
  expect(agent.grants).toContainEqual({ ...files, sources: ['manual'] })
  expect(await seenBy('declared')).toEqual(['files.read', 'mail.read', 'mail.send'])
  await crib.api.addGrant(operator, 'declared', files)
  await crib.api.removeGrant(operator, 'declared', files)
  expect(await seenBy('declared')).toEqual(['mail.read', 'mail.send'])
  await expect(crib.api.removeGrant(operator, 'declared', files)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    crib.api.removeGrant(operator, 'declared', { pattern: 'mail.*', kind: 'allow' }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await expect(
    crib.api.changeAgent(operator, 'declared', { autonomy: 'autonomous' }),
  ).rejects.toMatchObject({ code: 'conflict' })
  expect(await told('grant.added')).toContainEqual({
    agent: 'declared',
    ...files,
    source: 'manual',
  })
})

test('one tool is turned off where a wider grant remains, and a skill that holds it is named', async () => {
  await crib.api.turnOffTool(operator, 'declared', 'mail.send')
  expect(await seenBy('declared')).toEqual(['mail.read'])
  await crib.api.removeGrant(operator, 'declared', { pattern: 'mail.send', kind: 'deny' })
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('grants', 'declared', {
      body: [{ pattern: 'mail.read', kind: 'allow', sources: ['skill:mailing'] }],
    }),
  )
  await expect(crib.api.turnOffTool(operator, 'declared', 'mail.read')).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('mailing'),
  })
})

test('turning a tool off takes nothing from an agent that is closed at the moment', async () => {
  const profile = { kind: 'profile', name: 'letters' } as const
  await crib.api.writeDecree(operator, { ...profile, body: { allow: ['mail.*'] } })
  const tools = { profile: 'letters', deny: ['mail.purge'] }
  await crib.api.createAgent(operator, spec('writer', { tools }))
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('profile', 'letters', { body: 'mail.*' }),
  )
  await expect.poll(() => seenBy('writer')).toEqual([])
  await expect(crib.api.turnOffTool(operator, 'writer', 'mail.send')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Unknown profile "letters"'),
  })
  await crib.api.writeDecree(operator, { ...profile, body: { allow: ['mail.*'] } })
  expect(await seenBy('writer')).toEqual(['mail.read', 'mail.send'])
  await crib.api.deleteAgent(operator, 'writer')
  await crib.api.deleteDecree(operator, profile)
})

test('the policy of a tenant narrows its agents at once; a profile that is named stays', async () => {
  await crib.api.writeDecree(operator, {
    kind: 'profile',
    name: 'quiet',
    body: { allow: ['*.read'] },
  })
  const policy = { kind: 'policy', name: 'tenant' } as const
  await crib.api.writeDecree(operator, { ...policy, body: { profile: 'quiet' } })
  expect(await seenBy('declared')).toEqual(['mail.read'])
  await expect(
    crib.api.deleteDecree(operator, { kind: 'profile', name: 'quiet' }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('policy tenant'),
  })
  await expect(
    crib.api.writeDecree(operator, { ...policy, body: { profile: 'nope' } }),
  ).rejects.toMatchObject({ code: 'invalid_policy' })
  await expect(
    crib.api.writeDecree(operator, { ...policy, body: { denny: [] } }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  await crib.api.deleteDecree(operator, policy)
  expect(await seenBy('declared')).toEqual(['mail.read', 'mail.send'])
})

test('what a tenant decides has a size that every node can hold', async () => {
  const write = (at: number) => {
    const body = Array.from({ length: 5_000 }, (_, index) => `p.${at}-${index}`.padEnd(190, 'x'))
    return crib.api.writeDecree(operator, { kind: 'group', name: `big${at}`, body })
  }
  const names = [0, 1, 2, 3]
  for (const at of names) await write(at)
  await expect(write(4)).rejects.toMatchObject({ code: 'quota_exceeded' })
  await write(3)
  for (const at of names) {
    await crib.api.deleteDecree(operator, { kind: 'group', name: `big${at}` })
  }
})

test('what was written over and can not be read closes, and says so', async () => {
  await crib.api.createAgent(operator, spec('broken', { tools: { allow: ['*'] } }))
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('policy', 'tenant', { body: { alow: ['*'] } }),
  )
  await expect.poll(() => seenBy('broken')).toEqual([])
  expect(await crib.api.listDecrees(operator, 'policy')).toMatchObject([
    { closed: expect.any(String) },
  ])
  await crib.api.deleteDecree(operator, { kind: 'policy', name: 'tenant' })
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('agent', 'broken', { body: { slug: 'broken', autonomy: 'wild' } }),
  )
  const broken = () => crib.api.findAgent(operator, 'broken')
  await expect.poll(async () => (await broken()).closed).toContain('form that is not known')
  expect(await seenBy('broken')).toEqual([])
  await crib.api.deleteAgent(operator, 'broken')
})

test('a simulation says who would notice what, and saves nothing', async () => {
  await crib.api.createAgent(operator, spec('a-one', { tools: { allow: ['mail.*'] } }))
  await crib.api.createAgent(operator, spec('a-two', { tools: { allow: ['files.*'] } }))
  const { items, unchanged } = await crib.api.simulate(operator, {
    profiles: { tiny: { allow: ['mail.read', 'mail.send'], deny: [] } },
    policy: { profile: 'tiny', allow: [], deny: [] },
    agents: { 'a-one': { autonomy: 'conservative' } },
  })
  const none = { gains: [], loses: [], asks: [], allows: [] }
  expect(items.find(({ agent }) => agent === 'a-one')).toEqual({
    ...none,
    agent: 'a-one',
    loses: ['mail.purge'],
    asks: ['mail.send'],
  })
  expect(items.find(({ agent }) => agent === 'a-two')).toEqual({
    ...none,
    agent: 'a-two',
    loses: ['files.read'],
  })
  expect(unchanged).toBeGreaterThan(0)
  expect(await seenBy('a-two')).toEqual(['files.read'])
  await expect(
    crib.api.simulate(operator, { agents: { nobody: { model: 'x' } } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a grant that spells a former name out holds for the tool as it is called now', async () => {
  await crib.api.createAgent(operator, spec('older', { tools: { allow: ['disk.read'] } }))
  expect(await seenBy('older')).toEqual(['files.read'])
  await crib.api.createAgent(operator, spec('wider', { tools: { allow: ['disk.*'] } }))
  expect(await seenBy('wider')).toEqual([])
})

test('who lacks the permission, or is bound to an agent, manages nothing', async () => {
  const viewer = { ...operator, permissions: ['policy.read', 'tools.call'] }
  await expect(crib.api.createAgent(viewer, spec('y'))).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect((await crib.api.listAgents(viewer, { limit: 2 })).items).toHaveLength(2)
  const bound = { ...operator, agent: 'declared' }
  await expect(
    crib.api.addGrant(bound, 'declared', { pattern: '*', kind: 'allow' }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('what is odd about the configuration is said at the start and stops nothing', async () => {
  const warnings: string[] = []
  const other = await openCrib({
    cwd: '/',
    data: '/nowhere',
    store: createMemoryStore(),
    env: {},
    config: {
      tools: [],
      agents: [{ slug: 'a', settings: { 'mail.raed': { enabled: false } } }],
    },
    tools: [tool('mail.read', { tenants: ['nowhere'] })],
    onWarning: (message) => warnings.push(message),
  })
  await other.close()
  expect(warnings).toEqual([
    expect.stringContaining('Agent a: no tool is called mail.raed; did you mean "mail.read"?'),
    'mail.read is for the tenant nowhere, which is not there: nobody sees it by that',
  ])
})

test('agents of another tenant do not exist', async () => {
  const foreign = { ...operator, tenant: 'acme' }
  expect(await crib.api.listAgents(foreign, { limit: 10 })).toEqual({ items: [] })
  await expect(crib.api.findAgent(foreign, 'declared')).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no agent "declared" in this tenant',
  })
})
