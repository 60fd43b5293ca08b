import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addGrant,
  dropGrantSource,
  dropSource,
  removeGrant,
  toGrants,
  turnOffTool,
} from './grants.ts'
import { agentWith } from './policy.fixture.ts'
import type { Grant } from './scope.ts'

const read = { name: 'file.read', pack: 'file' }
const key = { pattern: 'file.*', kind: 'allow' } as const
const vocabulary = { profiles: {}, groups: {} }

test('a grant collects its sources', () => {
  const once = addGrant([], key, 'skill:research')
  const twice = addGrant(addGrant(once, key, 'manual'), key, 'manual')
  expect(twice).toEqual([{ ...key, sources: ['manual', 'skill:research'] }])
})

test('a grant disappears when its last source does', () => {
  const grants = [{ ...key, sources: ['manual', 'skill:research'] }]
  const one = dropGrantSource(grants, key, 'manual')
  expect(one).toEqual([{ ...key, sources: ['skill:research'] }])
  expect(dropGrantSource(one, key, 'skill:research')).toEqual([])
  expect(dropGrantSource(one, { ...key, kind: 'deny' }, 'skill:research')).toEqual(one)
})

test('dropping a source removes it from every grant', () => {
  const grants = [
    { ...key, sources: ['global', 'skill:research'] },
    { pattern: 'web.*', kind: 'allow' as const, sources: ['skill:research'] },
  ]
  expect(dropSource(grants, 'skill:research')).toEqual([{ ...key, sources: ['global'] }])
})

test('removing a grant held by a skill is refused with the name of the skill', () => {
  const grants = [{ ...key, sources: ['manual', 'skill:research', 'skill:audit'] }]
  expect(() => removeGrant(grants, key)).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: 'file.* is held by the skills audit, research',
      fix: 'Disable the skills for the agent first: toolcrib skills disable audit --agent AGENT.',
      details: { skills: ['audit', 'research'] },
    }),
  )
  expect(removeGrant([{ ...key, sources: ['manual', 'global'] }], key)).toEqual([])
})

test('turning off a tool that a skill grants through a wider pattern is refused', () => {
  const agent = agentWith([], {
    grants: [{ pattern: 'group:fs', kind: 'allow', sources: ['skill:research'] }],
  })
  expect(() => turnOffTool(agent, read, vocabulary)).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: 'file.read is held by the skill research',
    }),
  )
})

test('turning off a tool removes its own grant, and denies it if a wider pattern allows it', () => {
  const deny = { pattern: 'file.read', kind: 'deny', sources: ['manual'] }
  expect(turnOffTool(agentWith(['file.read']), read, vocabulary)).toEqual([])
  expect(turnOffTool(agentWith(['file.read', 'file.*']), read, vocabulary)).toEqual([
    { pattern: 'file.*', kind: 'allow', sources: ['manual'] },
    deny,
  ])
  expect(turnOffTool(agentWith([], { profile: 'minimal' }), read, vocabulary)).toEqual([deny])
})

test('configuration grants each pattern once, with the source global', () => {
  expect(toGrants({ allow: ['a.b', 'a.b'], deny: ['a.c'] })).toEqual([
    { pattern: 'a.b', kind: 'allow', sources: ['global'] },
    { pattern: 'a.c', kind: 'deny', sources: ['global'] },
  ])
  expect(toGrants({})).toEqual([])
})

test('adding and dropping a source leaves the grants unchanged', () => {
  const grant: fc.Arbitrary<Grant> = fc.record({
    pattern: fc.constantFrom('a.b', 'a.*', 'group:fs'),
    kind: fc.constantFrom('allow', 'deny'),
    sources: fc
      .uniqueArray(fc.constantFrom('global', 'manual'), { minLength: 1 })
      .map((all) => all.toSorted()),
  })
  const grants = fc.uniqueArray(grant, { selector: ({ pattern, kind }) => `${kind} ${pattern}` })
  fc.assert(
    fc.property(grants, grant, (before, { pattern, kind }) => {
      const added = addGrant(before, { pattern, kind }, 'skill:x')
      expect(dropGrantSource(added, { pattern, kind }, 'skill:x')).toEqual(before)
      expect(dropSource(added, 'skill:x')).toEqual(before)
    }),
  )
})
