import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import type { Stores } from '../src/features/stores.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import {
  type GovernedCrib,
  openGovernedCrib,
  operator,
  optedTool,
  specOf,
} from './setup/governed-crib.ts'

let governed: GovernedCrib
let crib: OpenCrib
let store: Stores
const seenBy = (agent: string) => governed.seenBy(agent)

beforeAll(async () => {
  governed = await openGovernedCrib()
  ;({ crib, store } = governed)
})
afterAll(() => governed.close())

test('the policy of a tenant narrows its agents at once; a profile that is named stays', async () => {
  await crib.api.writePolicyDocument(operator, {
    kind: 'profile',
    name: 'quiet',
    body: { allow: ['*.read'] },
  })
  const policy = { kind: 'policy', name: 'tenant' } as const
  await crib.api.writePolicyDocument(operator, { ...policy, body: { profile: 'quiet' } })
  expect(await seenBy('declared')).toEqual(['mail.read'])
  await expect(
    crib.api.deletePolicyDocument(operator, { kind: 'profile', name: 'quiet' }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('policy tenant'),
  })
  await expect(
    crib.api.writePolicyDocument(operator, { ...policy, body: { profile: 'nope' } }),
  ).rejects.toMatchObject({ code: 'invalid_policy' })
  await expect(
    crib.api.writePolicyDocument(operator, { ...policy, body: { denny: [] } }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
  await crib.api.deletePolicyDocument(operator, policy)
  expect(await seenBy('declared')).toEqual(['mail.read', 'mail.send'])
})

test('what a tenant decides has a size that every node can hold', async () => {
  const write = (at: number) => {
    const body = Array.from({ length: 5_000 }, (_, index) => `p.${at}-${index}`.padEnd(190, 'x'))
    return crib.api.writePolicyDocument(operator, { kind: 'group', name: `big${at}`, body })
  }
  const names = [0, 1, 2, 3]
  for (const at of names) await write(at)
  await expect(write(4)).rejects.toMatchObject({ code: 'quota_exceeded' })
  await write(3)
  for (const at of names) {
    await crib.api.deletePolicyDocument(operator, { kind: 'group', name: `big${at}` })
  }
})

test('what was written over and can not be read closes, and says so', async () => {
  await crib.api.createAgent(operator, specOf('broken', { tools: { allow: ['*'] } }))
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('policy', 'tenant', { body: { alow: ['*'] } }),
  )
  await expect.poll(() => seenBy('broken')).toEqual([])
  expect(await crib.api.listPolicyDocuments(operator, { kind: 'policy' })).toMatchObject({
    items: [{ closed: expect.any(String) }],
  })
  await crib.api.deletePolicyDocument(operator, { kind: 'policy', name: 'tenant' })
  await store.rules.change('default', operator.principal, (draft) =>
    draft.put('agent', 'broken', { body: { slug: 'broken', autonomy: 'wild' } }),
  )
  const broken = () => crib.api.findAgent(operator, { slug: 'broken' })
  await expect.poll(async () => (await broken()).closed).toContain('unknown format')
  expect(await seenBy('broken')).toEqual([])
  await crib.api.deleteAgent(operator, { slug: 'broken' })
})

test('a simulation says who would notice what, and saves nothing', async () => {
  await crib.api.createAgent(operator, specOf('a-one', { tools: { allow: ['mail.*'] } }))
  await crib.api.createAgent(operator, specOf('a-two', { tools: { allow: ['files.*'] } }))
  const confirmed = { tools: { allow: ['files.*'] }, hooks: { confirm: ['files.*'] } }
  await crib.api.createAgent(operator, specOf('a-three', confirmed))
  const { items, unchanged } = await crib.api.simulate(operator, {
    profiles: { tiny: { allow: ['mail.read', 'mail.send'], deny: [] } },
    policy: { profile: 'tiny', allow: [], deny: [] },
    agents: { 'a-one': { autonomy: 'conservative' } },
  })
  const none = { gains: [], loses: [], asked: [], asks: [], allows: [] }
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
  expect(items.find(({ agent }) => agent === 'a-three')).toEqual({
    ...none,
    agent: 'a-three',
    loses: ['files.read'],
    asked: ['files.read'],
  })
  expect(unchanged).toBeGreaterThan(0)
  expect(await seenBy('a-two')).toEqual(['files.read'])
  await expect(
    crib.api.simulate(operator, { agents: { nobody: { model: 'x' } } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a grant that spells a former name out holds for the tool as it is called now', async () => {
  await crib.api.createAgent(operator, specOf('older', { tools: { allow: ['disk.read'] } }))
  expect(await seenBy('older')).toEqual(['files.read'])
  await crib.api.createAgent(operator, specOf('wider', { tools: { allow: ['disk.*'] } }))
  expect(await seenBy('wider')).toEqual([])
})

test('who lacks the permission, or is bound to an agent, manages nothing', async () => {
  const viewer = { ...operator, permissions: ['policy.read', 'tools.call'] }
  await expect(crib.api.createAgent(viewer, specOf('y'))).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect((await crib.api.listAgents(viewer, { limit: 2 })).items).toHaveLength(2)
  const bound = { ...operator, agent: 'declared' }
  await expect(
    crib.api.addGrant(bound, { slug: 'declared', pattern: '*', kind: 'allow' }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('what is odd about the configuration is said at the start and stops nothing', async () => {
  const warnings: string[] = []
  const other = await openCrib({
    cwd: '/',
    data: '/nowhere',
    store: await freshStore(),
    env: {},
    config: {
      tools: [],
      agents: [{ slug: 'a', settings: { 'mail.raed': { enabled: false } } }],
    },
    tools: [optedTool('mail.read'), optedTool('mail.far', { tenants: ['nowhere'] })],
    onWarning: (message) => warnings.push(message),
  })
  await other.close()
  expect(warnings).toEqual([
    expect.stringContaining('Agent a: no tool is called mail.raed; did you mean "mail.read"?'),
    'mail.far is for the tenant nowhere, which does not exist',
  ])
})

test('an agent warns of hooks, grants and denies that fit no tool', async () => {
  const spec = specOf('slips', {
    tools: { allow: ['mial.*', 'mail.*'], deny: ['mail.wirte'] },
    hooks: { confirm: ['mial.*', 'mail.*'], log: ['pack:mial'], silent: ['mail.send', 'nothing'] },
  })
  const { warnings } = await crib.api.createAgent(operator, spec)
  expect(warnings).toEqual([
    'allow mial.* matches no tool at the moment',
    'deny mail.wirte matches no tool at the moment',
    'hooks.confirm mial.* matches no tool at the moment',
    'hooks.log pack:mial matches no tool at the moment',
    'hooks.silent nothing matches no tool at the moment',
  ])
})

test('agents of another tenant do not exist', async () => {
  const foreign = { ...operator, tenant: 'acme' }
  expect(await crib.api.listAgents(foreign, { limit: 10 })).toEqual({ items: [] })
  await expect(crib.api.findAgent(foreign, { slug: 'declared' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no agent "declared" in this tenant',
  })
})
