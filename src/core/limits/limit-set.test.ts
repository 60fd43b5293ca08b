import { expect, test } from 'vitest'
import type { Principal } from '../kernel/call.ts'
import type { LimitSpec } from './limit.ts'
import { toLimitSet } from './limit-set.ts'

const tool = { name: 'mail.send', pack: 'mail', aliases: ['post.send'] }
const groups = { outside: ['pack:mail', 'web.*'] }

function subjectsOf(
  spec: LimitSpec,
  caller: { agent?: string; principal?: Principal; onBehalfOf?: Principal } = {},
): string[] {
  const rule = { key: 'k', name: 'k', setBy: 'test', spec }
  const principal: Principal = { kind: 'key', id: 'k1' }
  const set = toLimitSet([rule], groups)
  return set!
    .find({ tool, caller: { tenant: 't', principal, ...caller } })
    .map((one) => one.subject)
}

test('without a limit there is no set', () => {
  expect(toLimitSet([], groups)).toBeUndefined()
})

test.each<[LimitSpec, Parameters<typeof subjectsOf>[1], string[]]>([
  [{ of: 'tenant' }, {}, ['tenant:t']],
  [{ of: 'tenant', match: 'other' }, {}, []],
  [{ of: 'agent' }, {}, []],
  [{ of: 'agent' }, { agent: 'a' }, ['agent:a']],
  [{ of: 'agent', match: 'sup*' }, { agent: 'support' }, ['agent:support']],
  [{ of: 'agent', match: 'sup*' }, { agent: 'sales' }, []],
  [{ of: 'key' }, {}, ['key:k1']],
  [{ of: 'key', match: 'k1*' }, {}, ['key:k1']],
  [{ of: 'key', match: 'k.' }, {}, []],
  [{ of: 'member' }, {}, []],
  [{ of: 'member' }, { principal: { kind: 'user', id: 'ada' } }, ['member:ada']],
  [
    { of: 'member' },
    { principal: { kind: 'system', id: 's' }, onBehalfOf: { kind: 'user', id: 'ada' } },
    ['member:ada'],
  ],
  [{ of: 'tool' }, {}, ['tool:mail.send']],
  [{ of: 'tool', match: 'group:outside' }, {}, ['tool:mail.send']],
  [{ of: 'tool', match: 'post.send' }, {}, ['tool:mail.send']],
  [{ of: 'tool', match: 'mail.*', tools: ['web.*'] }, {}, []],
  [{ of: 'key', tools: ['pack:mail'] }, {}, ['key:k1']],
  [{ of: 'key', tools: ['web.*'] }, {}, []],
])('%j counts a call of %j for %j', (spec, caller, subjects) => {
  expect(subjectsOf(spec, caller)).toEqual(subjects)
})

test('a limit with unreadable patterns lets nothing through', () => {
  const rule = { key: 'k', name: 'k', setBy: 'test', spec: { of: 'key', tools: ['group:gone'] } }
  const set = toLimitSet([rule as { spec: LimitSpec } & typeof rule], groups)
  const caller = { tenant: 't', principal: { kind: 'key', id: 'a' } as const }
  expect(set?.hasImpossible).toBe(true)
  expect(set?.find({ tool, caller }).map(({ rule: { closed } }) => closed)).toEqual([
    expect.stringContaining('Unknown group'),
  ])
})
