import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    title: `Title of ${name}`,
    description: 'A tool for tests of what an agent may do with it.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'done',
    ...more,
  })

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({
    config: {
      profiles: { mailers: { allow: ['mail.*'] } },
      packs: { wiki: false },
      agents: [{ slug: 'support', tools: { profile: 'mailers', allow: ['wiki.*'] } }],
    },
    tools: [
      tool('mail.read'),
      tool('mail.send', { effect: 'destructive', approval: 'always' }),
      tool('wiki.fetch'),
      tool('disk.wipe', { effect: 'destructive' }),
      tool('other.tool', { tenants: ['acme'] }),
    ],
  })
})
afterAll(() => crib.close())

test('the tools of an agent come by decision, with the first rule and the counts of all', async () => {
  const { items, counts, next } = await crib.api.listAgentTools(owner, {
    slug: 'support',
    limit: 100,
  })
  const named = items.filter(({ pack }) => ['mail', 'wiki', 'disk'].includes(pack))
  expect(named).toEqual([
    {
      tool: 'disk.wipe',
      title: 'Title of disk.wipe',
      effect: 'destructive',
      pack: 'disk',
      decision: 'hidden',
      reason: 'agent support has no grant for disk.wipe',
    },
    {
      tool: 'mail.read',
      title: 'Title of mail.read',
      effect: 'read',
      pack: 'mail',
      decision: 'allow',
    },
    {
      tool: 'mail.send',
      title: 'Title of mail.send',
      effect: 'destructive',
      pack: 'mail',
      decision: 'ask',
      reason: 'mail.send always needs approval',
    },
    {
      tool: 'wiki.fetch',
      title: 'Title of wiki.fetch',
      effect: 'read',
      pack: 'wiki',
      decision: 'hidden',
      reason: 'pack wiki is turned off for everyone',
    },
  ])
  expect(next).toBeUndefined()
  expect(counts).toEqual({
    all: items.length,
    allow: 1,
    ask: 1,
    hidden: items.length - 2,
  })
})

test('they are filtered and paged, and the counts stay those of all that fits', async () => {
  const query = { q: 'TITLE mail', limit: 1 }
  const first = await crib.api.listAgentTools(owner, { slug: 'support', ...query })
  expect(first.items.map((one) => one.tool)).toEqual(['mail.read'])
  expect(first.next).toBe('mail.read')
  const second = await crib.api.listAgentTools(owner, {
    slug: 'support',
    ...query,
    after: first.next,
  })
  expect(second.items.map((one) => one.tool)).toEqual(['mail.send'])
  expect(second.next).toBeUndefined()
  const asked = await crib.api.listAgentTools(owner, { slug: 'support', ...query, decision: 'ask' })
  expect(asked.items.map((one) => one.tool)).toEqual(['mail.send'])
  expect(asked.counts).toEqual({ all: 2, allow: 1, ask: 1, hidden: 0 })
})

test('whoever may not read policy learns nothing of it', async () => {
  const member = { ...owner, permissions: ['tools.call'] }
  await expect(
    crib.api.listAgentTools(member, { slug: 'support', limit: 10 }),
  ).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(crib.api.readPolicyWords(member)).rejects.toMatchObject({ code: 'forbidden' })
})

test('what policy may name comes with where it is from, and packs with whether they are on', async () => {
  await crib.api.writePolicyDocument(owner, { kind: 'group', name: 'post', body: ['mail.*'] })
  await crib.api.writePolicyDocument(owner, { kind: 'pack', name: 'mail', body: { isOn: true } })
  const words = await crib.api.readPolicyWords(owner)
  expect(words.profiles.find(({ name }) => name === 'mailers')).toEqual({
    name: 'mailers',
    origin: 'configuration',
    allow: ['mail.*'],
    deny: [],
  })
  expect(words.profiles.find(({ name }) => name === 'full')?.origin).toBe('shipped')
  expect(words.groups.find(({ name }) => name === 'post')).toEqual({
    name: 'post',
    origin: 'tenant',
    patterns: ['mail.*'],
  })
  const packs = words.packs.filter(({ name }) => ['mail', 'wiki', 'other'].includes(name))
  expect(packs).toEqual([
    {
      name: 'mail',
      isOptIn: false,
      isOn: true,
      tools: 2,
      setBy: expect.stringContaining('owner'),
    },
    { name: 'wiki', isOptIn: false, isOn: false, tools: 1, setBy: 'configuration' },
  ])
})
