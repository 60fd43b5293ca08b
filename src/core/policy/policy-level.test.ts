import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAgentPolicy } from './agent-policy.ts'
import { scopeWith, toolNamed } from './policy.fixture.ts'
import { parsePolicyLevel, toPolicyLevel } from './policy-level.ts'
import { visibleTools } from './visible-tools.ts'
import { defineVocabulary } from './vocabulary.ts'

const vocabulary = defineVocabulary({ profiles: { readers: { allow: ['*.list', 'group:web'] } } })

test('a level of configuration is checked and completed', () => {
  expect(toPolicyLevel('global', { profile: 'readers', deny: ['shell.*'] }, vocabulary)).toEqual({
    name: 'global',
    profile: 'readers',
    allow: [],
    deny: ['shell.*'],
  })
})

test.each<[object, string]>([
  [
    { profile: 'reader' },
    'In policy level global: Unknown profile "reader"; did you mean "readers"? Known: coding, full, messaging, minimal, readers',
  ],
  [
    { deny: ['group:nope'] },
    'In policy level global: Unknown group "nope"; Known: admin, browser, fs, git, knowledge, media, memory, runtime, session, web',
  ],
  [
    { allow: ['a b'] },
    'In policy level global: Malformed pattern "a b"; write a tool\'s name, * for any characters, group:<name> or pack:<name>',
  ],
  [{ denny: ['*'] }, 'In policy level global: unknown key "denny"; known are profile, allow, deny'],
])('the configured level %j is refused', (spec, message) => {
  expect(() => toPolicyLevel('global', spec, vocabulary)).toThrow(
    expect.objectContaining({ code: 'invalid_policy', message }),
  )
})

test.each([
  [null, 'a level is an object with profile, allow and deny'],
  ['{}', 'a level is an object with profile, allow and deny'],
  [[], 'a level is an object with profile, allow and deny'],
  [{ allow: '*' }, 'allow must be a list of patterns'],
  [{ deny: [1] }, 'deny must be a list of patterns'],
  [{ profile: null }, 'profile must be text'],
  [{ denny: ['*'] }, 'unknown key "denny"; known are profile, allow, deny'],
])('the stored level %j denies everything, with the reason', (stored, closed) => {
  expect(parsePolicyLevel('tenant', stored)).toEqual({
    name: 'tenant',
    allow: [],
    deny: [],
    closed,
  })
})

test('a stored level of any kind is read without throwing, and an unreadable one lets nothing through', () => {
  const tools = [toolNamed('a.b'), toolNamed('c.d')]
  fc.assert(
    fc.property(fc.jsonValue(), (stored) => {
      const level = parsePolicyLevel('tenant', stored)
      const seen = visibleTools(tools, scopeWith({ levels: [level] }))
      if (level.closed !== undefined) expect(seen).toEqual([])
    }),
  )
})

test('an agent of configuration has its grants from the source global', () => {
  const spec = {
    slug: 'support',
    tools: { profile: 'readers', allow: ['billing.*'], deny: ['billing.refund'] },
    settings: { 'billing.find': { needsApproval: true } },
    hooks: { confirm: ['billing.*'] },
  }
  expect(toAgentPolicy(spec, vocabulary)).toEqual({
    slug: 'support',
    profile: 'readers',
    grants: [
      { pattern: 'billing.*', kind: 'allow', sources: ['global'] },
      { pattern: 'billing.refund', kind: 'deny', sources: ['global'] },
    ],
    settings: { 'billing.find': { needsApproval: true } },
    autonomy: 'standard',
    hooks: { confirm: ['billing.*'], log: [], silent: [] },
    toolMode: 'auto',
    memoryEnabled: true,
    knowledgeEnabled: true,
  })
})

test.each([
  [
    { tools: { profile: 'nope' } },
    'In agent a: Unknown profile "nope"; Known: coding, full, messaging, minimal, readers',
  ],
  [
    { hooks: { silent: ['a b'] } },
    'In agent a: Malformed pattern "a b"; write a tool\'s name, * for any characters, group:<name> or pack:<name>',
  ],
  [
    { settings: { 'billing.*': {} } },
    'In agent a: Settings are per tool, and "billing.*" is a pattern',
  ],
])('the configured agent %j is refused', (spec, message) => {
  expect(() => toAgentPolicy({ slug: 'a', ...spec }, vocabulary)).toThrow(
    expect.objectContaining({ code: 'invalid_policy', message }),
  )
})
