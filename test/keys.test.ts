import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { isToolError } from '../src/core/kernel/errors.ts'
import { createTempFolder } from '../src/store/contract/temp-store.ts'

const owner: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}
const tool = defineTool({
  name: 'billing.refund',
  description: 'Refunds.',
  effect: 'read',
  permission: 'billing.refund',
  inputSchema: z.object({}),
  execute: () => null,
})

let crib: OpenCrib
let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeAll(async () => {
  folder = await createTempFolder()
  crib = await openCrib({
    cwd: folder.path,
    data: folder.path,
    env: {},
    tools: [tool],
    config: { agents: [{ slug: 'support' }], tenants: [{ slug: 'other' }] },
  })
})
afterAll(async () => {
  await crib.close()
  await folder.remove()
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )
const create = (scopes: string[], more: { agent?: string; expiresAt?: string } = {}) =>
  crib.api.createKey(owner, { name: scopes.join(' '), scopes, ...more })
const callerOf = (token: string) => crib.api.authenticate(token, 'api')

// The first, since it looks at all keys that there are.
test('what was found somewhere is told apart, and asking is no use of it', async () => {
  const live = await create(['tools.call'])
  const old = await create(['tools.call'])
  await crib.api.rotateKey(owner, { id: old.key.id })
  const revoked = await create(['tools.call'])
  await crib.api.revokeKey(owner, { id: revoked.key.id })
  const foreign = await crib.api.createKey(
    { ...owner, tenant: 'other' },
    { name: 'theirs', scopes: ['*'] },
  )
  const tokens = [live, old, revoked, foreign].map(({ token }) => token)
  const reports = await crib.api.checkTokens(owner, { tokens })
  expect(reports.items.map(({ state, name }) => [state, name])).toEqual([
    ['live', 'tools.call'],
    ['replaced', 'tools.call'],
    ['revoked', 'tools.call'],
    ['unknown', undefined],
  ])
  const lookalike = `crib_${'a'.repeat(10)}_${'b'.repeat(39)}`
  const mixed = await crib.api.checkTokens(owner, { tokens: [lookalike, live.token] })
  expect(mixed.items.map(({ state }) => state)).toEqual(['not_a_key', 'live'])
  expect(JSON.stringify(mixed)).not.toContain('bbb')
  await crib.store.flush()
  const { items } = await crib.api.listKeys(owner, { limit: 10 })
  expect(items.map(({ lastUsedAt }) => lastUsedAt)).toEqual([undefined, undefined, undefined])
})

test('a scope that gives nothing is warned of, one of a tool is not, a malformed one is refused', async () => {
  expect((await create(['tools.call', 'billing.*'])).warnings).toBeUndefined()
  expect((await create(['tools.calls'])).warnings).toEqual([
    'The scope tools.calls grants nothing now: there is no such permission. Did you mean tools.call?',
  ])
  expect(await codeOf(create(['tools call']))).toBe('invalid_request')
  expect(await codeOf(create(['*'], { expiresAt: new Date(Date.now() - 1).toISOString() }))).toBe(
    'invalid_request',
  )
})

test('nobody gets more by rotating a key than by making one', async () => {
  const strong = await create(['*'])
  const weak = await callerOf((await create(['keys.manage', 'tools.call'])).token)
  const equal = await create(['tools.call'])
  const rotate = (id: string) => crib.api.rotateKey(weak as Caller, { id })
  expect(await codeOf(rotate(strong.key.id))).toBe('forbidden')
  expect(await callerOf(strong.token)).toBeDefined()
  const rotated = await rotate(equal.key.id)
  expect(await callerOf(equal.token)).toBeUndefined()
  expect(await callerOf(rotated.token)).toMatchObject({ principal: { id: equal.key.id } })
  const other = { ...owner, tenant: 'other' }
  expect(await codeOf(crib.api.rotateKey(other, { id: equal.key.id }))).toBe('not_found')
  expect(await codeOf(crib.api.rotateKey(owner, { id: 'missing' }))).toBe('not_found')
  const overlapSeconds = 8 * 86_400
  expect(await codeOf(crib.api.rotateKey(owner, { id: equal.key.id, overlapSeconds }))).toBe(
    'invalid_request',
  )
})

test('nobody revokes a key that holds more than they do, except their own', async () => {
  const member = async (permissions: string[]): Promise<Caller> => {
    const request = { email: `r${permissions.length}@x.example`, permissions }
    const { id } = await crib.api.createMember(owner, request)
    return {
      ...owner,
      principal: { kind: 'user', id },
      permissions: ['tools.call', ...permissions],
    }
  }
  const weak = await member(['keys.manage', 'agents.chat'])
  const strong = await create(['*'])
  expect(await codeOf(crib.api.revokeKey(weak, { id: strong.key.id }))).toBe('forbidden')
  expect(await callerOf(strong.token)).toBeDefined()
  const equal = await create(['tools.call'])
  expect(await codeOf(crib.api.revokeKey(weak, { id: equal.key.id }))).toBe('done')
  const own = await crib.api.createKey(weak, { name: 'own', scopes: ['keys.manage'] })
  const lesser = { ...weak, permissions: ['keys.manage'] }
  expect(await codeOf(crib.api.revokeKey(lesser, { id: own.key.id }))).toBe('done')
})

test('a key that expires leaves none that outlives it, neither made nor rotated', async () => {
  const soonMs = Date.now() + 3_600_000
  const soon = new Date(soonMs).toISOString()
  const { key, token } = await create(['*'], { expiresAt: soon })
  const lasting = await create(['tools.call'])
  const caller = (await callerOf(token)) ?? owner
  const make = (by: Caller, expiresAt?: string) =>
    codeOf(crib.api.createKey(by, { name: 'k', scopes: ['tools.call'], expiresAt }))
  expect(await make(caller)).toBe('forbidden')
  expect(await make(caller, new Date(soonMs + 1).toISOString())).toBe('forbidden')
  expect(await make(await crib.api.actIn(caller, 'other'))).toBe('forbidden')
  expect(await make(caller, soon)).toBe('done')
  expect(await codeOf(crib.api.rotateKey(caller, { id: lasting.key.id }))).toBe('forbidden')
  expect(await codeOf(crib.api.rotateKey(caller, { id: key.id }))).toBe('done')
})

test('a key for an agent that is not there is refused with the way to one', async () => {
  await expect(create(['tools.call'], { agent: 'nobody' })).rejects.toMatchObject({
    code: 'not_found',
    fix: expect.stringContaining('toolcrib agents') as string,
  })
})

test('a key of an agent that is gone does not work', async () => {
  const { token } = await create(['tools.call'], { agent: 'support' })
  expect(await callerOf(token)).toMatchObject({ agent: 'support' })
  await crib.store.rules.change('default', owner.principal, (draft) =>
    draft.delete('agent', 'support'),
  )
  await expect.poll(() => callerOf(token)).toBeUndefined()
})
