import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { definePack, defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { isToolError } from '../src/core/kernel/errors.ts'
import { createTempFolder } from '../src/store/contract/temp-store.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const value = 'sk_live_4242'
const runs: unknown[] = []

const facts = {
  description: 'Does it.',
  effect: 'write',
  inputSchema: z.object({}),
  execute: () => void runs.push('run'),
} as const
const charge = defineTool({
  name: 'billing.charge',
  ...facts,
  approval: 'always',
  secrets: [
    { key: 'stripe_key', label: 'Stripe key' },
    { key: 'region', type: 'select', choices: ['eu', 'us'], optional: true },
  ],
})
const refund = defineTool({ name: 'billing.refund', ...facts, secrets: ['stripe_key'] })
const foreign = defineTool({
  name: 'other.tool',
  ...facts,
  tenants: ['other'],
  secrets: ['their_key'],
})
const pack = definePack({
  name: 'billing',
  title: 'Billing',
  description: 'Money.',
  tools: [charge, refund],
  checkSecrets: {
    stripe_key: (given) => (given === value ? undefined : `Stripe does not know ${given}`),
  },
})

let crib: OpenCrib
let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeAll(async () => {
  folder = await createTempFolder()
  crib = await openCrib({
    cwd: folder.path,
    data: folder.path,
    env: {},
    config: {
      packs: { web: false },
      agents: [{ slug: 'support', tools: { allow: ['*'] } }],
      tenants: [{ slug: 'other' }],
    },
  })
  for (const tool of pack.tools) crib.registry.register(tool, { pack })
  crib.registry.register(foreign)
})
// Every test begins without a secret.
afterEach(async () => {
  runs.length = 0
  for (;;) {
    const { items } = await crib.api.listSecrets(owner)
    if (items.length === 0) return
    for (const { name, agent } of items) await crib.api.deleteSecret(owner, { name, agent })
  }
})
afterAll(async () => {
  await crib.close()
  await folder.remove()
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

test('what tools need is listed with who needs it, and only plain choices with their value', async () => {
  const { api } = crib
  await api.writeSecret(owner, { name: 'stripe_key', value, agent: 'support' })
  await api.writeSecret(owner, { name: 'region', value: 'eu' })
  await api.writeSecret(owner, { name: 'region', value: 'us', agent: 'support' })
  await api.writeSecret(owner, { name: 'unused', value: 'nobody asks' })
  const overview = await api.listSecrets(owner)
  expect(overview.requirements).toEqual([
    {
      name: 'region',
      label: 'Region',
      type: 'select',
      choices: ['eu', 'us'],
      sensitive: false,
      optional: true,
      requiredBy: [],
      usedBy: ['billing.charge'],
      isSet: true,
      value: 'eu',
      agents: [{ agent: 'support', value: 'us' }],
      hasCheck: false,
    },
    {
      name: 'stripe_key',
      label: 'Stripe key',
      type: 'text',
      choices: [],
      sensitive: true,
      optional: false,
      requiredBy: ['billing.charge', 'billing.refund'],
      usedBy: [],
      isSet: false,
      agents: [{ agent: 'support' }],
      hasCheck: true,
    },
  ])
  expect(overview.items.map(({ name, agent, usedBy }) => [name, agent, usedBy])).toEqual([
    ['region', undefined, ['billing.charge']],
    ['region', 'support', ['billing.charge']],
    ['stripe_key', 'support', ['billing.charge', 'billing.refund']],
    ['unused', undefined, []],
  ])
  expect(JSON.stringify(overview)).not.toContain(value)
})

test('what is noted of a secret never contains its value, in whatever form', async () => {
  const { api } = crib
  const until = '2030-01-01T00:00:00.000Z'
  const named = { name: 'stripe_key' }
  const written = await api.writeSecret(owner, {
    ...named,
    value,
    description: 'From the dashboard',
    expiresAt: until,
  })
  expect(written).toMatchObject({ description: 'From the dashboard', expiresAt: until })
  for (const description of [`it is ${value}`, btoa(value)]) {
    expect(await codeOf(api.noteSecret(owner, { ...named, description }))).toBe('invalid_input')
    expect(await codeOf(api.writeSecret(owner, { ...named, value, description }))).toBe(
      'invalid_input',
    )
  }
  const noted = await api.noteSecret(owner, { ...named, description: null })
  expect(noted).toEqual({
    ...named,
    version: 1,
    updatedAt: written.updatedAt,
    expiresAt: until,
  })
  await api.writeSecret(owner, { name: 'region', value: 'eu', description: 'eu: where we are' })
  expect(await codeOf(api.noteSecret(owner, { name: 'none', expiresAt: null }))).toBe('not_found')
  const agents = { ...named, agent: 'support', description: 'x' }
  expect(await codeOf(api.noteSecret(owner, agents))).toBe('not_found')
  const guest = { ...owner, permissions: ['tools.call'] }
  expect(await codeOf(api.noteSecret(guest, { ...named, expiresAt: null }))).toBe('forbidden')
  const { items } = await crib.store.events.read('default', { limit: 1000 })
  expect(JSON.stringify(items)).not.toContain(value)
})

test('a list of secrets is read in pages, each once, and what tools need comes with the first', async () => {
  const { api, store } = crib
  const agents = Array.from({ length: 103 }, (_, index) => `a${String(index).padStart(3, '0')}`)
  for (const agent of agents)
    await store.secrets.write({ tenant: 'default', agent }, 'region', 'eu')
  await api.writeSecret(owner, { name: 'region', value: 'eu' })
  await api.writeSecret(owner, { name: 'stripe_key', value })
  const pages = [await api.listSecrets(owner, { limit: 50 })]
  for (let after = pages[0]?.next; after !== undefined; after = pages.at(-1)?.next) {
    pages.push(await api.listSecrets(owner, { after, limit: 50 }))
  }
  expect(pages.map(({ items }) => items.length)).toEqual([50, 50, 5])
  expect(pages.flatMap(({ items }) => items.map(({ name, agent = '' }) => name + agent))).toEqual([
    'region',
    ...agents.map((agent) => `region${agent}`),
    'stripe_key',
  ])
  expect(pages.map(({ requirements }) => requirements.length)).toEqual([2, 0, 0])
  const region = pages[0]?.requirements[0]
  expect([region?.agents.length, region?.moreAgents]).toEqual([100, 3])
})

test('a tool that lacks a secret names it, and who can set it', async () => {
  const listed = async () =>
    (await crib.api.listTools(owner, {})).items.find(({ name }) => name === 'billing.refund')
  expect(await listed()).toMatchObject({
    state: 'misconfigured',
    reason: 'secret stripe_key is not set',
    fix: 'toolcrib secrets set stripe_key (members who hold secrets.write can set it: owner, admin, operator, or a key with that scope)',
  })
  await crib.api.writeSecret(owner, { name: 'stripe_key', value })
  expect(await listed()).toMatchObject({ state: 'ready' })
})

test('values that can not be right are refused with the reason', async () => {
  const write = (name: string, given: string) =>
    codeOf(crib.api.writeSecret(owner, { name, value: given }))
  expect(await write('region', 'asia')).toBe('invalid_input')
  expect(await write('region', 'eu')).toBe('done')
  expect(await write('stripe_key', 'short')).toBe('invalid_input')
  expect(await write('stripe_key', '')).toBe('invalid_input')
  expect(await write('stripe_key', 'with \0 in it')).toBe('invalid_input')
  expect(await write('their_key', 'short')).toBe('invalid_input')
  expect(await write('stripe_key', 'x'.repeat(65_537))).toBe('invalid_request')
})

test('a secret is tried out by the check of its pack, whose words hold no value', async () => {
  const { api } = crib
  const tried = (name: string, agent?: string) => api.testSecret(owner, { name, agent })
  expect(await codeOf(tried('stripe_key'))).toBe('not_found')
  await api.writeSecret(owner, { name: 'stripe_key', value })
  await api.writeSecret(owner, { name: 'stripe_key', value: 'sk_wrong_1', agent: 'support' })
  const checkedBy = ['billing.charge', 'billing.refund']
  expect(await tried('stripe_key')).toEqual({ name: 'stripe_key', status: 'good', checkedBy })
  expect(await tried('stripe_key', 'support')).toEqual({
    name: 'stripe_key',
    status: 'bad',
    message: 'Stripe does not know [redacted:stripe_key]',
    checkedBy,
  })
  await api.writeSecret(owner, { name: 'region', value: 'eu' })
  expect(await tried('region')).toEqual({
    name: 'region',
    status: 'unchecked',
    message: 'No tool or pack provides a check for region',
    checkedBy: [],
  })
  const weak = { ...owner, permissions: ['tools.call'] }
  expect(await codeOf(api.testSecret(weak, { name: 'stripe_key' }))).toBe('forbidden')
})

test('a call whose secret is removed while it waits keeps waiting, and runs once it is back', async () => {
  const { api } = crib
  await api.writeSecret(owner, { name: 'stripe_key', value })
  const asked = await api.call({ tool: 'billing.charge', input: {}, caller: owner })
  await api.deleteSecret(owner, { name: 'stripe_key' })
  const yes = () => api.decideApproval(owner, { id: asked.approvalId ?? '', decision: 'approve' })
  expect(await codeOf(yes())).toBe('secret_missing')
  await api.writeSecret(owner, { name: 'stripe_key', value })
  await yes()
  const done = await api.findCall(owner, { id: asked.callId ?? '', wait: 8 })
  expect([done.status, runs]).toEqual(['completed', ['run']])
})

test('only the owner of the installation turns the key ring', async () => {
  const { api } = crib
  await api.writeSecret(owner, { name: 'stripe_key', value })
  const { activeId } = await api.findKeyring(owner)
  for (const caller of [
    { ...owner, permissions: ['secrets.write'] },
    { ...owner, tenant: 'other' },
    { ...owner, agent: 'support' },
  ]) {
    expect(await codeOf(api.findKeyring(caller))).toBe('forbidden')
    expect(await codeOf(api.rotateKeyring(caller, {}))).toBe('forbidden')
    expect(await codeOf(api.dropMasterKey(caller, { id: activeId }))).toBe('forbidden')
  }
  const step = await api.rotateKeyring(owner, {})
  expect(step).toMatchObject({ hasBegun: true, moved: { secrets: 1 }, isDone: true })
  expect(await api.dropMasterKey(owner, { id: activeId })).toEqual({ isGone: true })
  expect((await api.findKeyring(owner)).keys.map(({ id }) => id)).toEqual([step.keyId])
  expect(await api.testSecret(owner, { name: 'stripe_key' })).toMatchObject({ status: 'good' })
})
