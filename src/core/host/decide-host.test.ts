import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHostPattern } from '../net/host-pattern.ts'
import { createNetworkPolicy, type NetworkLevel, type NetworkRule } from './decide-host.ts'

const patterns = (texts: string[]) =>
  texts.map((text) => {
    const pattern = parseHostPattern(text)
    if (pattern === undefined) throw new Error(`${text} is not a pattern`)
    return pattern
  })

function rule(
  id: string,
  hosts: { allow?: string[]; deny?: string[]; isForPack?: boolean },
): NetworkRule {
  const { allow = [], deny = [], isForPack = false } = hosts
  return { id, allow: patterns(allow), deny: patterns(deny), isForPack, setBy: 'anna' }
}

const level = (name: string, ...rules: NetworkRule[]): NetworkLevel => ({ name, rules })

function decide(levels: NetworkLevel[], host: string, isSandbox = false) {
  return createNetworkPolicy(levels, { isSandbox }).decide(host, 443).verdict
}

test('without rules tools reach every host, and sandboxes none', () => {
  expect([decide([], 'example.com'), decide([], 'example.com', true)]).toEqual(['allow', 'deny'])
})

test('allow lists of a level add up, and deny wins', () => {
  const levels = [
    level(
      'tenant',
      rule('a', { allow: ['a.example'] }),
      rule('b', { allow: ['*.b.example'], deny: ['x.b.example'] }),
    ),
  ]
  const hosts = ['a.example', 'y.b.example', 'x.b.example', 'b.example', 'c.example']
  expect(hosts.map((host) => decide(levels, host))).toEqual([
    'allow',
    'allow',
    'deny',
    'deny',
    'deny',
  ])
})

test('each level narrows those before, and none widens them', () => {
  const levels = [
    level('global', rule('g', { allow: ['*.example.com'] })),
    level('tenant', rule('t', { allow: ['*'] })),
    level('agent:a', rule('a', { allow: ['api.example.com', 'other.example'] })),
  ]
  const hosts = ['api.example.com', 'www.example.com', 'other.example']
  expect(hosts.map((host) => decide(levels, host))).toEqual(['allow', 'deny', 'deny'])
})

test('a sandbox reaches hosts that a rule for its pack names, as far as all levels allow', () => {
  const general = rule('t', { allow: ['*'] })
  const own = rule('s', { allow: ['registry.example', 'bad.example'], isForPack: true })
  const levels = [
    level('global', rule('g', { deny: ['bad.example'] })),
    level('tenant', general, own),
  ]
  const hosts = ['registry.example', 'bad.example', 'elsewhere.example']
  expect(hosts.map((host) => decide(levels, host, true))).toEqual(['allow', 'deny', 'deny'])
})

test('a rule that cannot be read refuses everything, with its id', () => {
  const closed = { ...rule('odd', {}), closed: 'unknown format' }
  expect(createNetworkPolicy([level('tenant', closed)]).decide('a.example', 443)).toEqual({
    verdict: 'deny',
    rule: 'unknown format',
    level: 'tenant',
    setBy: 'anna',
    id: 'odd',
  })
})

test('the verdict names the rule that decided', () => {
  const policy = createNetworkPolicy([
    level('global'),
    level('tenant', rule('partners', { allow: ['*.example.com:8443'] })),
  ])
  expect(policy.decide('api.example.com', 8443)).toEqual({
    verdict: 'allow',
    rule: '*.example.com:8443',
    level: 'tenant',
    setBy: 'anna',
    id: 'partners',
  })
  expect(policy.decide('api.example.com', 443)).toMatchObject({
    verdict: 'deny',
    rule: 'not in the allowed hosts of partners',
  })
  expect(policy.explain('api.example.com', 8443).map(({ level: name }) => name)).toEqual([
    'global',
    'tenant',
    'default',
  ])
})

test('another level never opens a host that was closed', () => {
  const host = fc.constantFrom('a.example', 'b.example', 'x.a.example', 'c.example')
  const pattern = fc.constantFrom('a.example', '*.a.example', 'b.example', '*')
  const hosts = fc.record({
    allow: fc.array(pattern, { maxLength: 3 }),
    deny: fc.array(pattern, { maxLength: 2 }),
  })
  const levels = fc.array(
    hosts.map((one) => level('x', rule('r', one))),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(levels, hosts, host, (before, added, asked) => {
      const after = [...before, level('y', rule('s', added))]
      if (decide(before, asked) === 'deny') expect(decide(after, asked)).toBe('deny')
    }),
  )
})
