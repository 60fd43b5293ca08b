import { onTestFinished, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../app/index.ts'
import { ownerOf } from '../../app/owner.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import type { LimitRequest } from './schemas.ts'

const owner = ownerOf()
const echo = defineTool({
  name: 'text.echo',
  description: 'Returns its input.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (input) => input,
})

async function open(): Promise<Crib> {
  const config = { agents: [{ slug: 'support', tools: { allow: ['*'] } }] }
  const crib = await createTestCrib({ tools: [echo], config })
  onTestFinished(() => crib.close())
  return crib
}
const limit = (crib: Crib, name: string, spec: LimitRequest) =>
  crib.api.writeLimit(owner, { name, ...spec })

const refusals: [what: string, spec: LimitRequest, reason: RegExp][] = [
  ['an unknown agent', { of: 'agent', match: 'nobody', concurrent: 1 }, /no agent "nobody"/],
  ['an unknown key', { of: 'key', match: 'k1', concurrent: 1 }, /no key "k1"/],
  ['an unknown tool', { of: 'tool', match: 'text.ecko', concurrent: 1 }, /mean "text.echo"/],
  ['an unknown tool in a list', { of: 'key', tools: ['nope'], concurrent: 1 }, /no tool "nope"/],
  ['an unknown pack', { of: 'key', tools: ['pack:nope'], concurrent: 1 }, /no pack "nope"/],
  ['an unknown group', { of: 'key', tools: ['group:nope'], concurrent: 1 }, /Unknown group/],
  ['no number', { of: 'key' }, /sets no limit/],
  ['a number below 0', { of: 'key', concurrent: -1 }, /concurrent/],
  ['a fraction of a call', { of: 'key', callsPerMinute: 1.5 }, /callsPerMinute/],
  ['a budget of certain tools', { of: 'key', tools: ['*'], costPerDay: 1 }, /restrict a budget/],
  ['a part of the tenant', { of: 'tenant', match: 'a', concurrent: 1 }, /leave match out/],
  ['a subject with a line break', { of: 'key', match: 'a\nb', concurrent: 1 }, /id, a name/],
]
test.each(refusals)('a limit with %s is refused, with the reason', async (_what, spec, reason) => {
  const crib = await open()
  await expect(limit(crib, 'x', spec)).rejects.toThrow(reason)
  await expect(limit(crib, '../x', { of: 'key', concurrent: 1 })).rejects.toThrow(/lower case/)
  expect((await crib.api.listLimits(owner, { limit: 5 })).items).toEqual([])
})

test('limits need the permission, a change is recorded, and they are paged by name', async () => {
  const crib = await open()
  const reader = { ...owner, permissions: ['usage.read'] }
  const spec: LimitRequest = { of: 'key', concurrent: 1 }
  const forbidden = { code: 'forbidden' }
  await expect(crib.api.writeLimit(reader, { name: 'a', ...spec })).rejects.toMatchObject(forbidden)
  await expect(crib.api.deleteLimit(reader, { name: 'a' })).rejects.toMatchObject(forbidden)
  const others = { ...owner, permissions: ['tools.call'] }
  await expect(crib.api.listLimits(others, { limit: 1 })).rejects.toMatchObject(forbidden)
  const bound = { ...owner, agent: 'support' }
  await expect(crib.api.writeLimit(bound, { name: 'a', ...spec })).rejects.toMatchObject(forbidden)
  for (const name of ['a', 'b', 'c']) await limit(crib, name, spec)
  await crib.api.deleteLimit(owner, { name: 'b' })
  const missing = { code: 'not_found' }
  await expect(crib.api.deleteLimit(owner, { name: 'b' })).rejects.toMatchObject(missing)
  await expect(crib.api.findLimit(owner, { name: 'b', limit: 1 })).rejects.toMatchObject(missing)
  const first = await crib.api.listLimits(reader, { limit: 1 })
  expect([first.items.map(({ name }) => name), first.next]).toEqual([['a'], 'a'])
  const rest = await crib.api.listLimits(reader, { limit: 5, after: first.next })
  expect([rest.items.map(({ name }) => name), rest.next]).toEqual([['c'], undefined])
  const told = await changes(crib)
  expect(told).toEqual([
    { kind: 'limit', name: 'a', change: 'created', limit: spec },
    { kind: 'limit', name: 'b', change: 'created', limit: spec },
    { kind: 'limit', name: 'c', change: 'created', limit: spec },
    { kind: 'limit', name: 'b', change: 'deleted' },
  ])
})

test('a number that is too large, and an invalid cursor, are refused', async () => {
  const crib = await open()
  await expect(limit(crib, 'x', { of: 'key', callsPerMinute: 1_000_001 })).rejects.toMatchObject({
    code: 'invalid_request',
    issues: [{ path: '/callsPerMinute', message: 'must be at most 1000000' }],
  })
  await limit(crib, 'x', { of: 'key', callsPerMinute: 1_000_000 })
  await expect(crib.api.findLimit(owner, { name: 'x', after: 'soon' })).rejects.toMatchObject({
    code: 'invalid_request',
    issues: [{ path: '/after' }],
  })
})

async function changes(crib: Crib) {
  const found = []
  for await (const { type, data } of crib.events()) if (type === 'policy.changed') found.push(data)
  return found
}
