import { expect, test } from 'vitest'
import { defineTool, toTool } from './define-tool.ts'
import { createRegistry } from './registry.ts'
import type { Tool } from './kernel/tool.ts'

const everyones = (name: string): Tool =>
  defineTool({
    name,
    description: 'A tool of everybody',
    effect: 'read',
    inputSchema: { type: 'object', properties: {} },
    execute: () => null,
  })

const foreign = (name: string): Tool =>
  toTool(
    {
      name,
      source: 'gateway',
      description: 'A tool of one tenant',
      effect: 'read',
      inputSchema: { type: 'object', properties: {} },
    },
    { execute: () => null },
  )

const namesOf = (list: readonly { contract: { name: string } }[]) =>
  list.map(({ contract }) => contract.name)

test('own tools of a tenant exist only for it, beside the shared ones', () => {
  const registry = createRegistry()
  registry.register(everyones('file.read'))
  registry.setOwn('acme', 'gateway', [{ tool: foreign('mcp:github:search') }])
  expect(namesOf(registry.list('acme'))).toEqual(['file.read', 'mcp:github:search'])
  expect(namesOf(registry.list('other'))).toEqual(['file.read'])
  expect(namesOf(registry.list())).toEqual(['file.read'])
  expect(registry.find('mcp:github:search')).toBeUndefined()
  expect(registry.find('mcp:github:search', 'other')).toBeUndefined()
  expect(registry.find('mcp_github_search', 'acme')?.contract.name).toBe('mcp:github:search')
})

test('two tenants may each have a tool of the same name', () => {
  const registry = createRegistry()
  const [one, two] = [foreign('mcp:github:search'), foreign('mcp:github:search')]
  registry.setOwn('acme', 'gateway', [{ tool: one }])
  registry.setOwn('other', 'gateway', [{ tool: two }])
  expect(registry.find('mcp:github:search', 'acme')?.tool).toBe(one)
  expect(registry.find('mcp:github:search', 'other')?.tool).toBe(two)
})

test('the name of a shared tool takes precedence, in any order of registration', () => {
  const registry = createRegistry()
  registry.setOwn('acme', 'gateway', [{ tool: foreign('mcp:files:read') }])
  const common = foreign('mcp:files:read')
  registry.register(common)
  expect(registry.find('mcp:files:read', 'acme')?.tool).toBe(common)
  expect(registry.list('acme')).toHaveLength(1)
})

test('wire names of shared tools do not depend on the own tools of a tenant', () => {
  const registry = createRegistry()
  registry.register(everyones('mcp_a_b'))
  registry.setOwn('acme', 'gateway', [{ tool: foreign('mcp:a:b') }])
  const own = registry.find('mcp:a:b', 'acme')
  expect(registry.find('mcp_a_b', 'acme')?.contract.name).toBe('mcp_a_b')
  expect(own?.wireName).toMatch(/^mcp_a_b_[a-z0-9]{6}$/)
  expect(registry.find(own?.wireName ?? '', 'acme')).toBe(own)
})

test('lists are the same objects until something changes, and watchers get the tenant', () => {
  const registry = createRegistry()
  const heard: (string | undefined)[] = []
  registry.watchLists((tenant) => heard.push(tenant))
  const own = [{ tool: foreign('mcp:a:b') }]
  registry.setOwn('acme', 'gateway', own)
  const before = registry.list('acme')
  registry.setOwn('acme', 'gateway', [...own])
  expect(registry.list('acme')).toBe(before)
  registry.register(everyones('file.read'))
  expect(registry.list('acme')).not.toBe(before)
  registry.setOwn('acme', 'gateway', [])
  expect(registry.list('acme')).toBe(registry.list())
  expect(heard).toEqual(['acme', undefined, 'acme'])
})
