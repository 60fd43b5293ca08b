import { expect, test } from 'vitest'
import { toTool } from './define-tool.ts'
import type { ToolError } from './kernel/errors.ts'
import { createRegistry, type RegistryEvent } from './registry.ts'
import type { Tool } from './kernel/tool.ts'

const web = { name: 'web', title: 'Web', description: 'Pages', optIn: true, groups: ['net', 'web'] }

test('a tool is found by its canonical name, its wire name and its aliases', () => {
  const registry = createRegistry()
  const tool = toolNamed('web.fetch', ['page.read'])
  registry.register(tool, { pack: web, file: 'tools/web.tool.ts' })
  const expected = {
    tool,
    contract: tool.contract,
    pack: 'web',
    packOptIn: true,
    groups: ['net', 'web'],
    file: 'tools/web.tool.ts',
    probes: {},
    version: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
    wireName: 'web_fetch',
  }
  expect(registry.find('web.fetch')).toEqual(expected)
  expect(registry.find('web_fetch')).toBe(registry.find('web.fetch'))
  expect(registry.find('page.read')).toBe(registry.find('web.fetch'))
  expect([registry.find('web.other'), registry.find('__proto__')]).toEqual([undefined, undefined])
})

test('names that collide on the wire each lead to their own tool', () => {
  const registry = createRegistry()
  for (const name of ['a.b_c', 'a_b.c', 'a_b_c']) registry.register(toolNamed(name))
  const found = registry.list().map(({ wireName }) => registry.find(wireName)?.contract.name)
  expect(found).toEqual(['a.b_c', 'a_b.c', 'a_b_c'])
  expect(registry.find('a_b_c')?.contract.name).toBe('a_b_c')
})

test('a taken name is refused with both places', () => {
  const registry = createRegistry()
  registry.register(toolNamed('a.b'), { file: 'one.tool.ts' })
  const error = catchError(() => registry.register(toolNamed('a.b'), { file: 'two.tool.ts' }))
  expect([error.code, error.message]).toEqual([
    'name_taken',
    'Two tools are named a.b: one in one.tool.ts, one in two.tool.ts',
  ])
})

test('a name cannot be taken through an alias, nor an alias through a name', () => {
  const registry = createRegistry()
  registry.register(toolNamed('a.new', ['a.old']), { file: 'one.tool.ts' })
  const byName = catchError(() => registry.register(toolNamed('a.old'), { pack: web }))
  expect(byName.message).toBe(
    'Two tools are named a.old (an alias of a.new): one in one.tool.ts, one in pack web',
  )
  expect(catchError(() => registry.register(toolNamed('b', ['a.new']))).code).toBe('name_taken')
  expect(registry.list().map(({ contract }) => contract.name)).toEqual(['a.new'])
})

test('a built-in tool leaves an alias to a tool of that name, and keeps the others', () => {
  const registry = createRegistry()
  const builtIn = toolNamed('web.search', ['webSearch', 'find.pages'])
  const contract = { ...builtIn.contract, source: 'builtin' as const }
  registry.register({ ...builtIn, contract }, { pack: web })
  expect(registry.find('webSearch')?.contract.name).toBe('web.search')
  registry.register(toolNamed('find.pages'), { file: 'one.tool.ts' })
  expect(registry.find('find.pages')?.contract.name).toBe('find.pages')
  // A grant of find.pages is about the other tool alone.
  expect(registry.find('webSearch')?.contract.aliases).toEqual(['webSearch'])
  expect(catchError(() => registry.register(toolNamed('web.search'))).code).toBe('name_taken')
})

test('an invalid tool name is refused for every kind of tool', () => {
  const registry = createRegistry()
  expect(catchError(() => registry.register(toolNamed('Not A Name'))).code).toBe('invalid_tool')
})

test('the list is sorted and stays the same array until something changes', () => {
  const registry = createRegistry()
  for (const name of ['b.x', 'a.x', 'mcp:git:X']) registry.register(toolNamed(name))
  const before = registry.list()
  expect(before.map(({ contract }) => contract.name)).toEqual(['a.x', 'b.x', 'mcp:git:X'])
  expect(registry.list()).toBe(before)
  expect(registry.wireNames()).toBe(registry.wireNames())
  const { version } = registry
  registry.remove('unknown')
  expect([registry.list() === before, registry.version]).toEqual([true, version])
  registry.remove('b.x')
  expect([registry.list() === before, registry.version]).toEqual([false, version + 1])
  expect(before.length).toBe(3)
})

test('an unchanged tool keeps its entry when others are added and removed', () => {
  const registry = createRegistry()
  registry.register(toolNamed('a.x'))
  const entry = registry.find('a.x')
  registry.register(toolNamed('b.x'))
  expect(registry.find('a.x')).toBe(entry)
})

test('a removed tool is not found under any of its names, and its entry still has its wire name', () => {
  const registry = createRegistry()
  registry.register(toolNamed('a.x', ['a.y']))
  const entry = registry.find('a_x')
  expect(entry?.wireName).toBe('a_x')
  expect([registry.remove('a.x'), registry.remove('a.x')]).toEqual([true, false])
  expect(['a.x', 'a_x', 'a.y'].map((name) => registry.find(name))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(entry?.wireName).toBe('a_x')
  registry.register(toolNamed('a.y'))
  expect(registry.find('a.y')?.contract.name).toBe('a.y')
})

test('a replaced tool keeps its name and releases the aliases it no longer has', () => {
  const registry = createRegistry()
  registry.register(toolNamed('a.x', ['a.y', 'a.z']))
  registry.replace(toolNamed('a.x', ['a.z']))
  expect(['a.y', 'a.z'].map((name) => registry.find(name)?.contract.name)).toEqual([
    undefined,
    'a.x',
  ])
})

test('a missing tool cannot be replaced', () => {
  const registry = createRegistry()
  const error = catchError(() => registry.replace(toolNamed('a.x')))
  expect([error.code, registry.list()]).toEqual(['tool_not_found', []])
})

test('a quarantined tool stays in the list with its reason, and a new definition ends the quarantine', () => {
  const registry = createRegistry()
  registry.register(toolNamed('a.x'), { file: 'a.tool.ts', pack: web })
  registry.quarantine('a.x', 'its schema changed')
  expect(registry.list().map(({ quarantine, file, pack }) => ({ quarantine, file, pack }))).toEqual(
    [{ quarantine: 'its schema changed', file: 'a.tool.ts', pack: 'web' }],
  )
  registry.replace(toolNamed('a.x'))
  expect(registry.find('a.x')).not.toHaveProperty('quarantine')
  expect(catchError(() => registry.quarantine('a.y', 'x')).code).toBe('tool_not_found')
})

test('an update applies as a whole or not at all', () => {
  const registry = createRegistry()
  const first = toolNamed('a.x', ['a.old'])
  registry.register(first, { file: 'a.tool.ts' })
  registry.register(toolNamed('b.x'), { file: 'b.tool.ts' })
  const before = registry.list()
  const refused = catchError(() =>
    registry.update([
      { type: 'remove', name: 'a.x' },
      { type: 'register', tool: toolNamed('a.z'), origin: { file: 'a.tool.ts' } },
      { type: 'register', tool: toolNamed('b.x'), origin: { file: 'a.tool.ts' } },
    ]),
  )
  expect(refused.code).toBe('name_taken')
  expect(registry.list()).toBe(before)
  expect(registry.find('a.old')?.tool).toBe(first)
})

test('a reloaded file is one step, reported by its net effect', () => {
  const registry = createRegistry()
  const kept = toolNamed('a.kept')
  registry.register(kept)
  registry.register(toolNamed('a.changed'))
  registry.register(toolNamed('a.gone'))
  const seen: { event: RegistryEvent; names: string[] }[] = []
  registry.subscribe((event) => {
    seen.push({ event, names: registry.list().map(({ contract }) => contract.name) })
  })
  const { version } = registry
  registry.update([
    { type: 'remove', name: 'a.kept' },
    { type: 'remove', name: 'a.changed' },
    { type: 'remove', name: 'a.gone' },
    { type: 'register', tool: kept },
    { type: 'register', tool: toolNamed('a.changed') },
    { type: 'register', tool: toolNamed('a.added') },
    { type: 'quarantine', name: 'a.added', reason: 'bad' },
  ])
  const names = ['a.added', 'a.changed', 'a.kept']
  expect(registry.version).toBe(version + 1)
  expect(seen).toEqual([
    { event: { type: 'tool.changed', name: 'a.changed' }, names },
    { event: { type: 'tool.removed', name: 'a.gone' }, names },
    { event: { type: 'tool.registered', name: 'a.added' }, names },
    { event: { type: 'tool.quarantined', name: 'a.added' }, names },
  ])
})

test('a listener that throws does not stop the others, and an unsubscribed one is not called', () => {
  const registry = createRegistry()
  const told: string[] = []
  registry.subscribe(() => {
    throw new Error('broken listener')
  })
  const stop = registry.subscribe(({ name }) => told.push(`gone ${name}`))
  registry.subscribe(({ name }) => told.push(name))
  stop()
  expect(() => registry.register(toolNamed('a.x'))).toThrow('broken listener')
  expect([told, registry.list().length]).toEqual([['a.x'], 1])
})

test('a change made by a listener is reported after the current one', () => {
  const registry = createRegistry()
  const told: string[] = []
  registry.subscribe(({ name }) => {
    if (name === 'a.x') registry.register(toolNamed('a.y'))
  })
  registry.subscribe(({ name }) => told.push(name))
  registry.register(toolNamed('a.x'))
  expect(told).toEqual(['a.x', 'a.y'])
})

test('packs collect their tools and facts', () => {
  const registry = createRegistry()
  registry.register(toolNamed('web.fetch'), { pack: web })
  registry.register(toolNamed('web.mine'))
  registry.register(toolNamed('calc.roi'))
  expect(registry.packs()).toEqual([
    {
      name: 'calc',
      title: 'calc',
      description: '',
      optIn: false,
      groups: [],
      toolNames: ['calc.roi'],
    },
    { ...web, toolNames: ['web.fetch', 'web.mine'] },
  ])
  expect(registry.find('web.mine')?.packOptIn).toBe(false)
})

test('ten thousand tools are registered one by one without rebuilding the tables each time', () => {
  const registry = createRegistry()
  const start = cpuMs()
  for (let index = 0; index < 10_000; index++) {
    expect(registry.find(`pack.tool_${index}`)).toBeUndefined()
    registry.register(toolNamed(`pack.tool_${index}`))
  }
  expect(registry.find('pack_tool_9999')?.contract.name).toBe('pack.tool_9999')
  // A table costs some 20 ms: building it each time would take minutes.
  expect(cpuMs() - start).toBeLessThan(5000)
})

function catchError(run: () => unknown): ToolError {
  try {
    run()
  } catch (error) {
    return error as ToolError
  }
  throw new Error('nothing was thrown')
}

function toolNamed(name: string, aliases: string[] = []): Tool {
  const facts = {
    name,
    aliases,
    description: 'A tool for the registry to hold',
    effect: 'read' as const,
  }
  return toTool(
    { ...facts, source: 'code', inputSchema: { type: 'object' } },
    { execute: () => null },
  )
}

/** Of this process: other tests running at the same time do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
