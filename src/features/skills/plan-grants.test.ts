import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Grant } from '../../core/policy/scope.ts'
import { planSkillGrants } from './plan-grants.ts'

const names = fc.constantFrom('a', 'b', 'c', 'd')
const sources = fc
  .uniqueArray(fc.constantFrom('manual', 'skill:one', 'skill:two'), {
    minLength: 1,
  })
  .map((list) => list.toSorted())
const grants: fc.Arbitrary<Grant[]> = fc.uniqueArray(
  fc.record({ pattern: names, kind: fc.constantFrom('allow', 'deny'), sources }),
  { selector: ({ pattern, kind }) => `${kind} ${pattern}` },
)
const tools = fc.uniqueArray(names)
const owned = tools.map((list) =>
  list.map((pattern): Grant => ({ pattern, kind: 'allow', sources: ['global'] })),
)

const without = (all: Set<string>, others: Set<string>) =>
  new Set([...all].filter((one) => !others.has(one)))
const allowed = (list: readonly Grant[]) =>
  new Set(list.filter(({ kind }) => kind === 'allow').map(({ pattern }) => pattern))

test('a new version puts its tools in the place of the old ones, and what others hold stays', () => {
  const own: Grant[] = [{ pattern: 'own', kind: 'allow', sources: ['global'] }]
  const added: Grant[] = [
    { pattern: 'old', kind: 'allow', sources: ['skill:one'] },
    { pattern: 'both', kind: 'allow', sources: ['manual', 'skill:one'] },
    { pattern: 'own', kind: 'allow', sources: ['skill:one'] },
    { pattern: 'old', kind: 'deny', sources: ['manual'] },
  ]
  expect(planSkillGrants({ added, own }, 'one', ['new'])).toEqual({
    next: [
      { pattern: 'both', kind: 'allow', sources: ['manual'] },
      { pattern: 'old', kind: 'deny', sources: ['manual'] },
      { pattern: 'new', kind: 'allow', sources: ['skill:one'] },
    ],
    held: ['new'],
    released: ['old', 'both', 'own'],
    grants: { added: ['new'], removed: ['old'], kept: ['both', 'own'] },
  })
})

test('on and off again leaves what was there without the skill', () => {
  fc.assert(
    fc.property(grants, owned, tools, (added, own, required) => {
      const bare = planSkillGrants({ added, own }, 'one', []).next
      const { next } = planSkillGrants({ added: bare, own }, 'one', required)
      expect(planSkillGrants({ added: next, own }, 'one', []).next).toEqual(bare)
    }),
  )
})

test('the reported changes are the differences in the agent’s grants', () => {
  fc.assert(
    fc.property(grants, owned, tools, (added, own, required) => {
      const plan = planSkillGrants({ added, own }, 'one', required)
      const before = allowed([...added, ...own])
      const after = allowed([...plan.next, ...own])
      expect(new Set(plan.grants.added)).toEqual(without(after, before))
      expect(new Set(plan.grants.removed)).toEqual(without(before, after))
      for (const pattern of required) expect(after.has(pattern)).toBe(true)
    }),
  )
})

test('no other source loses or gains anything', () => {
  fc.assert(
    fc.property(grants, tools, (added, required) => {
      const { next } = planSkillGrants({ added, own: [] }, 'one', required)
      const others = (list: readonly Grant[]) =>
        list
          .flatMap(({ kind, pattern, sources: held }) =>
            held.map((source) => `${kind} ${pattern} ${source}`),
          )
          .filter((text) => !text.endsWith('skill:one'))
          .toSorted()
      expect(others(next)).toEqual(others(added))
    }),
  )
})
