import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Runtime } from '../kernel/tool.ts'
import { decide } from './decide.ts'
import { explain } from '../explain/explain.ts'
import { scopeWith, toolNamed } from './policy.fixture.ts'
import type { AgentPolicy, PolicyLevel, PolicyTool, Scope } from './scope.ts'
import { isVisible, visibleTools } from './visible-tools.ts'

const names = [
  'a',
  'a.b',
  'a.c',
  'b.c',
  'memory.x',
  'knowledge.y',
  'mcp:s:t',
  'constructor',
] as const
const runtimes: readonly Runtime[] = ['chat', 'task', 'subagent', 'room', 'webhook', 'api', 'cli']
const permissions = fc.subarray(['*', 'p.*', 'p.q', 'x', ''])

/** Hiding rules are kept rare: in a scope where nothing is visible every law holds trivially. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => mostly(undefined, arbitrary)
const mostly = <T, U>(usual: U, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })

const readable = [...names, 'a.*', '*.c', 'mcp:*', 'group:fs', 'group:g', 'pack:a', 'pack:b']
/** Stored policy may be unreadable. */
const unreadable = ['', 'group:nope', 'a b', '__proto__', 'group:__proto__']
const pattern = fc.oneof(
  { weight: 40, arbitrary: fc.constant('*') },
  { weight: 20, arbitrary: fc.constantFrom(...readable) },
  { weight: 1, arbitrary: fc.constantFrom(...unreadable) },
)
const allow = fc.array(pattern, { maxLength: 4 })
const deny = mostly<string[], string[]>([], fc.array(pattern, { maxLength: 2 }))
const profile = rarely(fc.constantFrom('minimal', 'full', 'mine', 'nope'))

const level: fc.Arbitrary<PolicyLevel> = fc.record({
  name: fc.constantFrom('global', 'tenant', 'provider', 'skill:x'),
  profile,
  allow,
  deny,
  closed: rarely(fc.constant('unreadable')),
})

const agent: fc.Arbitrary<AgentPolicy> = fc.record({
  slug: fc.constantFrom('one', 'two', 'three'),
  profile,
  grants: fc.array(
    fc.record({
      pattern,
      kind: mostly('allow' as const, fc.constant('deny' as const)),
      sources: mostly(['manual', 'global'], fc.subarray(['manual', 'skill:x'])),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  settings: fc.dictionary(
    fc.constantFrom(...names),
    fc.record({ enabled: mostly(true, fc.constant(false)), needsApproval: fc.boolean() }),
    { maxKeys: 2 },
  ),
  autonomy: fc.constantFrom('conservative', 'standard', 'autonomous'),
  hooks: fc.record({ confirm: deny, log: deny, silent: deny }),
  toolMode: fc.constantFrom('list', 'search', 'auto'),
  memoryEnabled: fc.boolean(),
  knowledgeEnabled: fc.boolean(),
  permissions: rarely(permissions),
})

const scope: fc.Arbitrary<Scope> = fc
  .record({
    isKnownTenant: mostly(true, fc.constant(false)),
    runtime: fc.constantFrom(...runtimes),
    agent: fc.option(agent, { nil: undefined }),
    parents: fc.array(agent, { maxLength: 3 }),
    levels: fc.array(level, { maxLength: 3 }),
    packs: fc.dictionary(
      fc.constantFrom('a', 'b', 'memory'),
      fc.record({ tenant: fc.boolean(), everyone: fc.boolean() }, { requiredKeys: [] }),
      { maxKeys: 2 },
    ),
    permissions,
    secrets: fc.subarray(['s']).map((all) => new Set(all)),
    env: fc.subarray(['E']).map((all) => new Set(all)),
    profiles: fc.constant({ mine: { allow: ['a.*', 'group:g'], deny: ['a.c'] } }),
    groups: fc.constantFrom<Scope['groups'][]>(
      { g: ['b.*', 'group:fs'] },
      { g: ['group:g', '*'], memory: ['pack:b'] },
      { g: ['b a d'] },
    ),
  })
  .map((facts) => scopeWith(facts))

const tool: fc.Arbitrary<PolicyTool> = fc
  .record({
    name: fc.constantFrom(...names),
    effect: fc.constantFrom('read', 'write', 'destructive'),
    approval: mostly('auto' as const, fc.constant('always' as const)),
    permission: rarely(fc.constantFrom('p.q', '')),
    tenants: mostly<string[], string[]>([], fc.constantFrom(['acme'], ['other'])),
    runtimes: mostly<Runtime[], Runtime[]>([], fc.constant(['chat', 'subagent'])),
    env: mostly<string[], string[]>([], fc.constant(['E'])),
    aliases: mostly<string[], string[]>([], fc.constantFrom(['a.old'], ['a.b'])),
    packOptIn: mostly(false, fc.constant(true)),
    quarantine: rarely(fc.string()),
    isDown: rarely(fc.string()),
  })
  .map(({ name, ...facts }) => toolNamed(name, facts))
const tools = fc.array(tool, { maxLength: 6 })

const runs = { numRuns: 1_500 }
const isSubset = (few: readonly PolicyTool[], many: readonly PolicyTool[]) =>
  few.every((one) => many.includes(one))

test('the random scopes show, hide and ask often enough for these laws to be meaningful', () => {
  const tried = fc.sample(fc.tuple(tool, scope), { numRuns: 3_000, seed: 1 })
  const verdicts = Object.groupBy(tried, ([one, given]) => decide(one, given).verdict)
  const deep = tried.filter(([one, given]) => given.parents.length > 1 && isVisible(one, given))
  expect(verdicts.allow?.length).toBeGreaterThan(150)
  expect(verdicts.ask?.length).toBeGreaterThan(150)
  expect(verdicts.deny?.length).toBeGreaterThan(150)
  expect(deep.length).toBeGreaterThan(50)
})

test('an additional level never widens', () => {
  fc.assert(
    fc.property(tools, scope, level, (all, given, further) => {
      const narrowed = { ...given, levels: [...given.levels, further] }
      expect(isSubset(visibleTools(all, narrowed), visibleTools(all, given))).toBe(true)
    }),
    runs,
  )
})

test('a child sees no more than its parent, at any depth', () => {
  fc.assert(
    fc.property(tools, scope, agent, (all, given, child) => {
      const above = given.agent === undefined ? [] : [given.agent]
      const below = { ...given, agent: child, parents: [...above, ...given.parents] }
      expect(isSubset(visibleTools(all, below), visibleTools(all, given))).toBe(true)
    }),
    runs,
  )
})

test('a child needs approval wherever its parent would', () => {
  fc.assert(
    fc.property(tool, scope, agent, (one, given, child) => {
      const above = given.agent === undefined ? [] : [given.agent]
      const below = { ...given, agent: child, parents: [...above, ...given.parents] }
      if (decide(one, given).verdict !== 'allow') {
        expect(decide(one, below).verdict).not.toBe('allow')
      }
    }),
    runs,
  )
})

test('deny always wins, in any level and for any agent', () => {
  fc.assert(
    fc.property(tool, scope, fc.nat(), (one, given, place) => {
      const { name } = one.contract
      const deny = { pattern: name, kind: 'deny', sources: ['manual'] } as const
      const denying: Scope[] = [
        ...given.levels.map((old, index) => ({
          ...given,
          levels: given.levels.with(index, { ...old, deny: [...old.deny, name] }),
        })),
        ...given.parents.map((old, index) => ({
          ...given,
          parents: given.parents.with(index, { ...old, grants: [...old.grants, deny] }),
        })),
        ...(given.agent === undefined
          ? []
          : [{ ...given, agent: { ...given.agent, grants: [...given.agent.grants, deny] } }]),
      ]
      const chosen = denying[place % Math.max(1, denying.length)]
      if (chosen !== undefined) expect(isVisible(one, chosen)).toBe(false)
    }),
    runs,
  )
})

test('the order of levels and of parents does not matter', () => {
  fc.assert(
    fc.property(tools, scope, (all, given) => {
      const turned = {
        ...given,
        levels: given.levels.toReversed(),
        parents: given.parents.toReversed(),
      }
      expect(visibleTools(all, turned)).toEqual(visibleTools(all, given))
    }),
    runs,
  )
})

test('a tool is visible exactly when no layer denies the call of it', () => {
  fc.assert(
    fc.property(tool, scope, (one, given) => {
      expect(decide(one, given).verdict !== 'deny').toBe(isVisible(one, given))
    }),
    runs,
  )
})

test('explain agrees with what is visible and with what is decided', () => {
  fc.assert(
    fc.property(tools, scope, (all, given) => {
      const explained = explain(all, given)
      const seen = visibleTools(all, given).map((one) => one.contract.name)
      expect(explained.filter((one) => one.visible).map((one) => one.tool)).toEqual(seen.toSorted())
      for (const one of explained) {
        const stop = one.layers.find((layer) => !layer.passes)
        expect(one.visible).toBe(stop === undefined)
        if (stop !== undefined) expect(one.stoppedBy).toBe(stop.layer)
      }
      const verdicts = all.map((one) => decide(one, given).verdict)
      expect(explained.map((one) => one.verdict).toSorted()).toEqual(verdicts.toSorted())
    }),
    runs,
  )
})

test('without an agent, and with everything allowed, a plain tool is visible', () => {
  const seen = visibleTools([toolNamed('a.b')], scopeWith())
  expect(seen).toHaveLength(1)
})

test('a list is the same object as long as scope and tools are', () => {
  const all = [toolNamed('a.b'), toolNamed('a.c')]
  const given = scopeWith()
  expect(visibleTools(all, given)).toBe(visibleTools(all, given))
  expect(visibleTools([...all], given)).not.toBe(visibleTools(all, given))
})
