import { expect, test } from 'vitest'
import { compileLevel, compileStoredLevel, judgeLevel, type LevelRules } from './level.ts'

const vocabulary = {
  profiles: { readers: { allow: ['*.list', 'group:web'], deny: ['web.search'] } },
  groups: {},
}
const rules = (facts: Partial<LevelRules>): LevelRules => ({
  allow: [],
  deny: [],
  whenEmpty: 'everything',
  ...facts,
})
const judge = (facts: Partial<LevelRules>, name: string, aliases: string[] = []) =>
  judgeLevel(compileLevel(rules(facts), vocabulary), {
    name,
    pack: name.split('.')[0] ?? '',
    aliases,
  })

test.each<[string, Partial<LevelRules>, string, ReturnType<typeof judgeLevel>]>([
  [
    'with a profile, what the profile names passes',
    { profile: 'readers' },
    'web.fetch',
    { passes: true, by: 'profile-allow', pattern: 'group:web' },
  ],
  [
    'with a profile, what allow names passes too',
    { profile: 'readers', allow: ['a.b'] },
    'a.b',
    { passes: true, by: 'allow', pattern: 'a.b' },
  ],
  [
    'with a profile, nothing else passes',
    { profile: 'readers', allow: ['a.b'] },
    'a.c',
    { passes: false, by: 'unnamed' },
  ],
  [
    'without a profile, a non-empty allow is all that passes',
    { allow: ['a.*'] },
    'b.c',
    { passes: false, by: 'unnamed' },
  ],
  [
    'without a profile, an empty allow lets everything through',
    {},
    'b.c',
    { passes: true, by: 'open' },
  ],
  [
    'for an agent, no profile and no allow grant nothing',
    { whenEmpty: 'nothing' },
    'b.c',
    { passes: false, by: 'empty' },
  ],
  [
    'deny wins over allow',
    { allow: ['a.*'], deny: ['a.b'] },
    'a.b',
    { passes: false, by: 'deny', pattern: 'a.b', despite: 'a.*' },
  ],
  [
    'deny wins over everything',
    { deny: ['a.*'] },
    'a.b',
    { passes: false, by: 'deny', pattern: 'a.*' },
  ],
  [
    "a profile's own deny wins over the allow beside it",
    { profile: 'readers', allow: ['web.search'] },
    'web.search',
    { passes: false, by: 'profile-deny', pattern: 'web.search', despite: 'web.search' },
  ],
  [
    'a closed level lets nothing through',
    { closed: 'broken' },
    'a.b',
    { passes: false, by: 'closed', why: 'broken' },
  ],
])('%s', (...[, facts, name, finding]) => {
  expect(judge(facts, name)).toEqual(finding)
})

test('a renamed tool does not escape a deny, and keeps only what was given to its old name', () => {
  expect(judge({ deny: ['a.old'] }, 'a.new', ['a.old']).passes).toBe(false)
  expect(judge({ deny: ['a.o*'] }, 'a.new', ['a.old']).passes).toBe(false)
  expect(judge({ allow: ['a.old'] }, 'a.new', ['a.old']).passes).toBe(true)
  expect(judge({ allow: ['a.o*'] }, 'a.new', ['a.old']).passes).toBe(false)
})

test.each(['minimal', 'messaging', 'coding', 'full'])('the profile %s is built in', (profile) => {
  const passing = [
    'file.read',
    'file.write',
    'web.fetch',
    'web.search',
    'system.info',
    'memory.find',
    'shell.run',
    'git.commit',
    'admin.users',
    'billing.refund',
  ]
  const names = passing.filter((name) => judge({ profile }, name).passes)
  const expected: Record<string, string[]> = {
    minimal: ['file.read', 'web.fetch', 'system.info'],
    messaging: ['file.read', 'web.fetch', 'web.search', 'system.info', 'memory.find'],
    coding: [
      'file.read',
      'file.write',
      'web.fetch',
      'web.search',
      'system.info',
      'memory.find',
      'shell.run',
      'git.commit',
    ],
    full: passing,
  }
  expect(names).toEqual(expected[profile])
})

test('an unknown profile is an error in configuration, and denies everything if it was stored', () => {
  const message =
    'Unknown profile "codign"; did you mean "coding"? Known: coding, full, messaging, minimal, readers'
  const unknown = rules({ profile: 'codign' })
  expect(() => compileLevel(unknown, vocabulary)).toThrow(
    expect.objectContaining({ code: 'invalid_policy', message }),
  )
  const level = compileStoredLevel(unknown, vocabulary)
  expect(judgeLevel(level, { name: 'a.b', pack: 'a' })).toEqual({
    passes: false,
    by: 'closed',
    why: message,
  })
})

test('a custom profile with the name of a built-in one does not replace it', () => {
  const hostile = { profiles: { minimal: { allow: ['*'], deny: [] } }, groups: {} }
  const level = compileLevel(rules({ profile: 'minimal' }), hostile)
  expect(judgeLevel(level, { name: 'shell.run', pack: 'shell' }).passes).toBe(false)
})
