import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scopeWith, toolNamed } from '../policy/policy.fixture.ts'
import { labelsOf } from './labels-of.ts'
import {
  dataKinds,
  type LabelRule,
  outsideEffects,
  type ToolLabels,
} from '../kernel/tool-labels.ts'

function label(pattern: string, labels: ToolLabels, origin: LabelRule['origin'] = 'tenant') {
  return { pattern, labels, origin, setBy: origin } satisfies LabelRule
}

function heard(tool: ReturnType<typeof toolNamed>, labels: readonly LabelRule[] = []) {
  const { reads, effects } = labelsOf(tool, scopeWith({ labels }))
  return [reads.join(' '), effects]
}

test('without a label the outside effect follows from the effect', () => {
  const derived = (facts: Parameters<typeof toolNamed>[1]) => heard(toolNamed('a.b', facts))[1]
  expect(derived({ effect: 'read' })).toBe('none')
  expect(derived({ effect: 'read', openWorld: true })).toBe('none')
  expect(derived({ effect: 'write' })).toBe('local')
  expect(derived({ effect: 'write', openWorld: true })).toBe('external')
  expect(derived({ effect: 'destructive' })).toBe('irreversible')
})

test('labels are computed once for all scopes of a tenant, and again for other groups', () => {
  const tool = toolNamed('web.fetch')
  const labels = [label('group:pages', { reads: ['untrusted'] })]
  const groups = { pages: ['web.*'] }
  const first = labelsOf(tool, scopeWith({ labels, groups, runtime: 'chat' }))
  expect(labelsOf(tool, scopeWith({ labels, groups, runtime: 'api' }))).toBe(first)
  const others = labelsOf(tool, scopeWith({ labels, groups: { pages: ['crm.*'] } }))
  expect([first.reads, others.reads]).toEqual([['untrusted'], []])
})

test('labels declared by gateway and authored tools are ignored', () => {
  const labels = { reads: ['private'], effects: 'none' } as const
  expect(heard(toolNamed('a.b', { source: 'code', labels }))).toEqual(['private', 'none'])
  expect(heard(toolNamed('a.b', { source: 'builtin', labels }))).toEqual(['private', 'none'])
  expect(heard(toolNamed('a.b', { source: 'authored', labels }))).toEqual(['', 'none'])
  // Its call leaves this server, whatever effect its own server declares.
  expect(heard(toolNamed('mcp:x:b', { source: 'gateway', labels }))).toEqual(['', 'external'])
  const worse = { source: 'gateway', effect: 'destructive' } as const
  expect(heard(toolNamed('mcp:x:b', worse))).toEqual(['', 'irreversible'])
})

test('patterns add to each other and to the definition', () => {
  const tool = toolNamed('web.fetch', { labels: { reads: ['untrusted'], effects: 'none' } })
  const added = [label('web.*', { reads: ['private'] }), label('*', { effects: 'external' })]
  expect(heard(tool, added)).toEqual(['untrusted private', 'external'])
})

test('a label for the exact name overrides the definition and the patterns from the same source', () => {
  const tool = toolNamed('web.docs', { labels: { reads: ['untrusted'], effects: 'external' } })
  const exact = label('web.docs', { reads: [], effects: 'none' })
  expect(heard(tool, [exact, label('web.*', { reads: ['private'] })])).toEqual(['', 'none'])
})

test('a tenant adds to the labels in the configuration and never removes any', () => {
  const tool = toolNamed('web.docs')
  const everywhere = label('web.*', { reads: ['untrusted'], effects: 'external' }, 'configuration')
  const lower = label('web.docs', { reads: ['private'], effects: 'none' })
  expect(heard(tool, [everywhere, lower])).toEqual(['untrusted private', 'external'])
})

test('a label applies under the former names of a tool, and lowers only under its own', () => {
  const renamed = toolNamed('web.get', { aliases: ['web.fetch'], effect: 'destructive' })
  const old = label('web.fetch', { reads: ['untrusted'], effects: 'none' })
  expect(heard(renamed, [old])).toEqual(['untrusted', 'irreversible'])
})

test('an unreadable label counts as the strictest', () => {
  const strictest = ['untrusted private', 'irreversible']
  const closed = { ...label('web.*', {}), closed: 'it is no label' }
  expect(heard(toolNamed('web.fetch'), [closed])).toEqual(strictest)
  expect(heard(toolNamed('crm.find'), [closed])).toEqual(['', 'none'])
  // Nobody knows which tools a deleted group contained.
  expect(heard(toolNamed('crm.find'), [label('group:gone', { reads: [] })])).toEqual(strictest)
})

const someLabels = fc.record(
  {
    reads: fc.uniqueArray(fc.constantFrom(...dataKinds)),
    effects: fc.constantFrom(...outsideEffects),
  },
  { requiredKeys: [] },
)
const someRule = fc.record({
  pattern: fc.constantFrom('*', 'web.*', 'web.fetch', 'pack:web', 'crm.*', 'group:web'),
  labels: someLabels,
  origin: fc.constantFrom('configuration' as const, 'tenant' as const),
  setBy: fc.constant('somebody'),
})
const someTool = fc
  .record({
    effect: fc.constantFrom('read', 'write', 'destructive' as const),
    openWorld: fc.boolean(),
    labels: someLabels,
    source: fc.constantFrom('code', 'gateway', 'authored' as const),
  })
  .map((facts) => toolNamed('web.fetch', facts as Parameters<typeof toolNamed>[1]))

function isAtLeast(
  one: { reads: readonly string[]; effects: (typeof outsideEffects)[number] },
  other: { reads: readonly string[]; effects: (typeof outsideEffects)[number] },
): boolean {
  const rank = (effects: (typeof outsideEffects)[number]) => outsideEffects.indexOf(effects)
  return (
    other.reads.every((kind) => one.reads.includes(kind)) &&
    rank(one.effects) >= rank(other.effects)
  )
}

test('labels in the configuration hold, whatever labels a tenant sets', () => {
  fc.assert(
    fc.property(someTool, fc.array(someRule, { maxLength: 8 }), (tool, rules) => {
      const declared = rules.filter(({ origin }) => origin === 'configuration')
      const silenced = toolNamed('web.fetch', { ...tool.contract, labels: {}, effect: 'read' })
      const floor = labelsOf(toolNamed('web.fetch', { ...silenced.contract, source: 'code' }), {
        ...scopeWith(),
        labels: declared,
      })
      expect(isAtLeast(labelsOf(tool, scopeWith({ labels: rules })), floor)).toBe(true)
    }),
  )
})

test('a further pattern never lowers anything, and the order never matters', () => {
  fc.assert(
    fc.property(someTool, fc.array(someRule, { maxLength: 8 }), someRule, (tool, rules, more) => {
      const pattern = more.pattern === 'web.fetch' ? 'web.*' : more.pattern
      const before = labelsOf(tool, scopeWith({ labels: rules }))
      const after = labelsOf(tool, scopeWith({ labels: [...rules, { ...more, pattern }] }))
      expect(isAtLeast(after, before)).toBe(true)
      const turned = labelsOf(tool, scopeWith({ labels: rules.toReversed() }))
      expect([turned.reads, turned.effects]).toEqual([before.reads, before.effects])
    }),
  )
})
