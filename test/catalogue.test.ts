import { expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib } from '../src/app/open-crib.ts'
import { forgetGone, syncCatalogue } from '../src/features/policies/catalogue/catalogue-sync.ts'
import { createPackTools } from '../src/core/sources/pack-tools.ts'
import { createToolSources } from '../src/core/sources/tool-sources.ts'
import { packs } from '../src/tools/packs.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool, toTool } from '../src/core/define-tool.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { createRegistry } from '../src/core/registry.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

const owner = ownerOf()
const builtIn = packs.flatMap(({ tools }) => tools.map(({ contract }) => contract.name)).toSorted()
const tool = (name: string, aliases: string[] = []) =>
  defineTool({
    name,
    description: 'A tool that comes and goes between two starts.',
    effect: 'read',
    aliases,
    inputSchema: z.object({}),
    execute: () => 'done',
  })

async function withTools<T>(
  store: OpenStores,
  tools: ReturnType<typeof tool>[],
  use: (crib: Awaited<ReturnType<typeof openCrib>>) => Promise<T>,
): Promise<T> {
  const config = { tools: [], catalogue: { keepDays: 1 } }
  const facts = { cwd: '/', data: '/nowhere', env: {}, onWarning: () => undefined }
  const crib = await openCrib({ ...facts, store, config, tools })
  try {
    return await use(crib)
  } finally {
    await crib.close()
  }
}

const told = async (store: OpenStores) => {
  const { items } = await store.events.read('default', { limit: 500 })
  return items
    .filter(({ type }) => type.startsWith('tool.') || type.startsWith('grant.'))
    .map(({ type, data }) => ({ type, ...data }))
}

test('a tool that vanished is shown as gone with who names it, and comes back as if nothing was', async () => {
  const store = await freshStore()
  const spec = { slug: 'a', tools: { allow: ['mail.read', 'mail.send'] } }
  await withTools(store, [tool('mail.read'), tool('mail.send')], ({ api }) =>
    api.createAgent(owner, agentSchema.parse(spec)),
  )
  await withTools(store, [tool('mail.send'), tool('mail.list')], async ({ api }) => {
    const { items } = await api.listCatalogue(owner, { state: 'gone', limit: 10 })
    expect(items).toMatchObject([{ tool: 'mail.read', state: 'gone', agents: ['a'] }])
    const { warnings } = await api.findAgent(owner, { slug: 'a' })
    expect(warnings).toEqual(['allow mail.read matches no tool at the moment'])
    await expect(api.explain(owner, { agent: 'a', tool: 'mail.read' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^No server has had mail\.read since 20/),
      fix: expect.stringMatching(
        /^Grants and settings that name it \(agents: a\) are kept until 20/,
      ),
    })
  })
  await withTools(store, [tool('mail.read'), tool('mail.send')], async ({ api }) => {
    const seen = await api.listTools({ ...owner, runtime: 'chat' }, { agent: 'a' })
    expect(seen.items.map(({ name }) => name)).toEqual(['mail.read', 'mail.send'])
  })
  expect(await told(store)).toEqual([
    expect.objectContaining({ type: 'grant.added', pattern: 'mail.read' }),
    expect.objectContaining({ type: 'grant.added', pattern: 'mail.send' }),
    { type: 'tool.registered', tool: 'mail.list' },
    { type: 'tool.gone', tool: 'mail.read' },
    { type: 'tool.returned', tool: 'mail.read' },
    { type: 'tool.gone', tool: 'mail.list' },
  ])
})

test('a renamed tool keeps its grants, settings and history', async () => {
  const store = await freshStore()
  const spec = {
    slug: 'a',
    tools: { allow: ['mail.read'] },
    settings: { 'mail.read': { timeoutMs: 5 } },
  }
  await withTools(store, [tool('mail.read')], async ({ api }) => {
    await api.createAgent(owner, agentSchema.parse(spec))
    await api.call({ tool: 'mail.read', input: {}, caller: owner, durable: true })
  })
  await withTools(store, [tool('post.read', ['mail.read'])], async ({ api }) => {
    const agent = await api.findAgent(owner, { slug: 'a' })
    expect(agent.grants).toEqual([{ pattern: 'post.read', kind: 'allow', sources: ['manual'] }])
    expect(agent.settings).toEqual({ 'post.read': { timeoutMs: 5 } })
    const { items } = await api.listCalls(owner, { tool: 'post.read', limit: 10 })
    expect(items).toMatchObject([{ tool: 'mail.read' }])
    const { items: all } = await api.listCatalogue(owner, { limit: 100 })
    expect(all.filter(({ tool: name }) => !builtIn.includes(name))).toMatchObject([
      { tool: 'post.read', state: 'present' },
    ])
  })
  expect((await told(store)).filter(({ type }) => type === 'grant.renamed')).toHaveLength(2)
})

test('what names a tool goes when it has been gone for long enough, and not before', async () => {
  const store = await freshStore()
  const spec = {
    slug: 'a',
    tools: { allow: ['mail.read', 'mail.*'] },
    settings: { 'mail.read': { enabled: true } },
  }
  await withTools(store, [tool('mail.read')], ({ api }) =>
    api.createAgent(owner, agentSchema.parse(spec)),
  )
  const registry = createRegistry()
  await createToolSources(registry).attach(createPackTools(packs))
  const options = { store, registry, keepMs: 1000 }
  await syncCatalogue({ ...options, now: () => 1_000 })
  expect(await forgetGone({ ...options, now: () => 1_999 })).toBe(0)
  expect(await forgetGone({ ...options, now: () => 2_000 })).toBe(1)
  expect(await store.rules.find('default', 'grants', 'a')).toMatchObject({
    body: [{ pattern: 'mail.*', kind: 'allow', sources: ['manual'] }],
  })
  expect(await store.rules.find('default', 'agent', 'a')).toMatchObject({
    body: { settings: {} },
  })
  const { items } = await store.catalogue.list({ limit: 100 })
  expect(items.map(({ name }) => name)).toEqual(builtIn)
})

test('what keeps an agent from a tool outlives the tool', async () => {
  const store = await freshStore()
  const spec = {
    slug: 'a',
    tools: { allow: ['mail.*'], deny: ['mail.send'] },
    settings: {
      'mail.purge': { enabled: false, timeoutMs: 5 },
      'mail.read': { needsApproval: true },
    },
  }
  const all = ['mail.read', 'mail.send', 'mail.purge'].map((name) => tool(name))
  await withTools(store, all, ({ api }) => api.createAgent(owner, agentSchema.parse(spec)))
  const registry = createRegistry()
  const options = { store, registry, keepMs: 1000 }
  await syncCatalogue({ ...options, now: () => 1_000 })
  expect(await forgetGone({ ...options, now: () => 2_000 })).toBeGreaterThanOrEqual(3)
  await withTools(store, all, async ({ api }) => {
    const { grants, settings } = await api.findAgent(owner, { slug: 'a' })
    expect(grants).toContainEqual({ pattern: 'mail.send', kind: 'deny', sources: ['manual'] })
    expect(settings).toEqual({
      'mail.purge': { enabled: false },
      'mail.read': { needsApproval: true },
    })
    const seen = await api.listTools({ ...owner, runtime: 'chat' }, { agent: 'a' })
    expect(seen.items.map(({ name }) => name)).toEqual(['mail.read'])
  })
})

test('a rename is carried over when no other server has the tool under its old name', async () => {
  const store = await freshStore()
  const spec = { slug: 'a', tools: { allow: ['*'], deny: ['mail.read'] } }
  await withTools(store, [tool('mail.read')], ({ api }) =>
    api.createAgent(owner, agentSchema.parse(spec)),
  )
  const deniedIn = (on: OpenStores) =>
    withTools(on, [tool('post.read', ['mail.read'])], async ({ api }) => {
      const { grants } = await api.findAgent(owner, { slug: 'a' })
      return grants.filter(({ kind }) => kind === 'deny').map(({ pattern }) => pattern)
    })
  const toolDirectory = {
    announce: async () => undefined,
    isElsewhere: async (name: string) => name === 'mail.read',
  }
  expect(await deniedIn({ ...store, toolDirectory })).toEqual(['mail.read'])
  expect(await deniedIn(store)).toEqual(['post.read'])
})

test('a tool that takes over another is as closed as either was', async () => {
  const store = await freshStore()
  const spec = {
    slug: 'a',
    tools: { allow: ['*'] },
    settings: { 'mail.read': { enabled: false, timeoutMs: 7 }, 'post.read': { timeoutMs: 5 } },
  }
  await withTools(store, [tool('mail.read'), tool('post.read')], ({ api }) =>
    api.createAgent(owner, agentSchema.parse(spec)),
  )
  await withTools(store, [tool('post.read', ['mail.read'])], async ({ api }) => {
    const { settings } = await api.findAgent(owner, { slug: 'a' })
    expect(settings).toEqual({ 'post.read': { enabled: false, timeoutMs: 5 } })
    const seen = await api.listTools({ ...owner, runtime: 'chat' }, { agent: 'a' })
    expect(seen.items.map(({ name }) => name)).not.toContain('post.read')
  })
})

test('tools of a source that is down are not gone; those it offers no more are', async () => {
  const store = await freshStore()
  const foreign = (name: string) =>
    toTool(
      {
        name,
        description: 'From elsewhere.',
        effect: 'read',
        source: 'gateway',
        inputSchema: { type: 'object' },
      },
      { execute: () => null },
    )
  const registry = createRegistry()
  const options = { store, registry, keepMs: 1000, now: () => 1 }
  registry.register(foreign('mcp:docs:search'))
  registry.register(foreign('mcp:docs:read'))
  registry.register(foreign('mcp:mail:send'))
  await syncCatalogue(options)
  registry.remove('mcp:docs:read')
  registry.remove('mcp:mail:send')
  await syncCatalogue(options)
  const gone = await store.catalogue.list({ state: 'gone', limit: 10 })
  expect(gone.items.map(({ name }) => name)).toEqual(['mcp:docs:read'])
})
