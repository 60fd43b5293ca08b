import { expect, test } from 'vitest'
import { shippedGroups } from '../patterns/groups.ts'
import { shippedProfiles } from './profiles.ts'
import { agentWith, scopeWith, toolNamed } from './policy.fixture.ts'
import { visibleTools } from './visible-tools.ts'
import { defineVocabulary, toVocabulary } from './vocabulary.ts'

test('every pack creates a group of its name and joins the groups it names', () => {
  const packs = [
    { name: 'stripe', groups: ['web', 'payments'] },
    { name: 'git', groups: [] },
  ]
  expect(defineVocabulary({ packs, groups: { daily: ['group:payments', '*.list'] } })).toEqual({
    profiles: shippedProfiles,
    groups: {
      ...shippedGroups,
      web: ['pack:web', 'pack:stripe'],
      stripe: ['pack:stripe'],
      payments: ['pack:stripe'],
      daily: ['group:payments', '*.list'],
    },
  })
})

test('custom profiles are added to the built-in ones', () => {
  const { profiles } = defineVocabulary({ profiles: { readers: { allow: ['*.list'] } } })
  expect(profiles).toEqual({ ...shippedProfiles, readers: { allow: ['*.list'], deny: [] } })
})

test.each([
  [
    { profiles: { minimal: { allow: ['*'] } } },
    'The profile "minimal" is built in and cannot be replaced',
  ],
  [{ groups: { fs: ['*'] } }, 'The group "fs" is built in and cannot be replaced'],
  [
    { groups: { 'A b': ['*'] } },
    'Malformed group name "A b"; use lower-case letters, digits, - and _',
  ],
  [
    { profiles: { quiet: { deny: ['shell.*'] } } },
    'Profile "quiet" allows nothing, because it has no allow list',
  ],
  [
    { groups: { a: ['group:b'] } },
    'In group a: Unknown group "b"; Known: a, admin, browser, fs, git, knowledge, media, memory, runtime, session, web',
  ],
  [
    { profiles: { p: { allow: ['group:gti'] } } },
    'In profile p: Unknown group "gti"; did you mean "git"? Known: admin, browser, fs, git, knowledge, media, memory, runtime, session, web',
  ],
])('the additions %j are refused', (additions, message) => {
  expect(() => defineVocabulary(additions)).toThrow(
    expect.objectContaining({ code: 'invalid_policy', message }),
  )
})

test('when the pack behind a group is removed, only rules that name the group deny everything', () => {
  const additions = { groups: { daily: ['group:stripe', 'web.fetch'] } }
  const tools = [toolNamed('web.fetch')]
  const scopeOf = (pattern: string) =>
    scopeWith({ ...toVocabulary(additions), agent: agentWith([pattern]) })
  expect(() => defineVocabulary(additions)).toThrow('In group daily: Unknown group "stripe"')
  expect(visibleTools(tools, scopeOf('group:daily'))).toEqual([])
  expect(visibleTools(tools, scopeOf('group:web'))).toEqual(tools)
})
