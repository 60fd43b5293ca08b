import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { createTestCrib } from '../../src/testing/index.ts'

const owner = ownerOf()
/** One crib a store: what one test leaves behind is one tenant more for the next. */
let crib: Crib

const echo = defineTool({
  name: 'test.echo',
  description: 'Gives back what it is given.',
  effect: 'read',
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text }),
})
const note = defineTool({
  name: 'test.note',
  description: 'Does something after its answer.',
  effect: 'write',
  execution: 'background',
  inputSchema: z.object({}),
  execute: () => 'noted',
})

async function open(): Promise<void> {
  crib = await createTestCrib({
    config: { agents: [{ slug: 'support' }], tenants: [{ slug: 'fixed', name: 'Fixed' }] },
    tools: [echo, note],
  })
}

async function keyOf(caller: Caller, scopes: string[], agent?: string): Promise<Caller> {
  const { token } = await crib.api.createKey(caller, { name: 'k', scopes, agent })
  const made = await crib.api.authenticate(token, 'api')
  if (made === undefined) throw new Error('The key is not known')
  return made
}

const callIn = (tenant: string) => crib.call('test.echo', { text: 'x' }, { tenant })

describe('managing tenants', () => {
  beforeAll(open)
  afterAll(() => crib.close())

  test('only who holds tenants.manage in the default tenant manages tenants', async () => {
    const { api } = crib
    const there = await api.actIn(owner, 'fixed')
    const outsider = await keyOf(there, ['*'])
    const weak = await keyOf(owner, ['members.manage'])
    const bound = await keyOf(owner, ['*'], 'support')
    for (const caller of [outsider, weak, bound]) {
      for (const attempt of [
        () => api.listTenants(caller, { limit: 10 }),
        () => api.findTenant(caller, { slug: 'fixed' }),
        () => api.findTenant(caller, { slug: 'nobody' }),
        () => api.createTenant(caller, { slug: 'acme' }),
        () => api.changeTenant(caller, { slug: 'fixed', status: 'suspended' }),
        () => api.deleteTenant(caller, { slug: 'fixed', confirm: 'fixed' }),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
      }
    }
    await expect(api.listTenants(outsider, { limit: 1 })).rejects.toThrow(
      'Tenants are managed from the tenant default; permissions of another tenant do not count',
    )
    const operator = await keyOf(owner, ['tenants.manage'])
    const { items } = await api.listTenants(operator, { limit: 10 })
    expect(items.map(({ slug }) => slug)).toEqual(['default', 'fixed'])
    expect((await api.listTenants(there, { limit: 10 })).items).toEqual(items)
  })

  test('a tenant is made with a good slug alone', async () => {
    const { api } = crib
    for (const slug of ['Acme', '-a', '1a', 'a b', '', 'a'.repeat(64), 'ä', 'a\0']) {
      await expect(api.createTenant(owner, { slug })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
    await expect(api.createTenant(owner, { slug: 'default' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await api.createTenant(owner, { slug: 'acme' })).toMatchObject({ name: 'acme' })
    expect(await callIn('acme')).toMatchObject({ status: 'completed' })
  })

  test('other tenants are not there for who does not manage tenants', async () => {
    const { api } = crib
    await api.createTenant(owner, { slug: 'beta' })
    const beta = await keyOf(await api.actIn(owner, 'beta'), ['*'])
    const weak = await keyOf(owner, ['tools.call'])
    const bound = await keyOf(owner, ['*'], 'support')
    const answerOf = (caller: Caller, tenant: string) =>
      api.actIn(caller, tenant).catch((error: { code: string; message: string }) => error)
    for (const caller of [beta, weak, bound]) {
      for (const tenant of ['fixed', 'nobody']) {
        expect(await answerOf(caller, tenant)).toMatchObject({
          code: 'not_found',
          message: `There is no tenant "${tenant}"`,
        })
      }
      expect(await api.actIn(caller, caller.tenant)).toBe(caller)
    }
    expect(await answerOf(owner, 'nobody')).toMatchObject({ code: 'not_found' })
  })

  test('an operator acts in a tenant as itself, and the log of that tenant says so', async () => {
    const { api } = crib
    await api.createTenant(owner, { slug: 'gamma' })
    const operator = await keyOf(owner, ['tenants.manage', 'tools.call', 'audit.read'])
    const there = await api.actIn(operator, 'gamma')
    expect(await api.whoAmI(there)).toEqual({
      principal: operator.principal,
      tenant: 'gamma',
      home: 'default',
      permissions: operator.permissions,
      changesFrom: expect.any(String),
    })
    const made = await api.call({
      tool: 'test.echo',
      input: { text: 'x' },
      caller: there,
      durable: true,
    })
    const { items } = await api.readEvents(there, { limit: 10, callId: made.callId })
    expect(items.map(({ tenant, principal }) => ({ tenant, principal }))).toEqual(
      items.map(() => ({ tenant: 'gamma', principal: operator.principal })),
    )
    expect(items.length).toBeGreaterThan(1)
    await expect(api.writeSecret(there, { name: 'a', value: 'b' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('nobody comes in while a tenant is suspended, and all is as before when it is resumed', async () => {
    const { api } = crib
    await api.createTenant(owner, { slug: 'delta' })
    const there = await api.actIn(owner, 'delta')
    const { token } = await api.createKey(there, { name: 'k', scopes: ['*'] })
    const reason = 'not paid'
    await api.changeTenant(owner, { slug: 'delta', status: 'suspended', reason })
    const refused = { code: 'tenant_suspended', message: 'The tenant delta is suspended: not paid' }
    await expect(api.authenticate(token, 'api')).rejects.toMatchObject(refused)
    await expect(api.actIn(owner, 'delta')).rejects.toMatchObject(refused)
    await expect(api.listTools(there, {})).rejects.toMatchObject(refused)
    expect(await callIn('delta')).toMatchObject({ status: 'failed', error: refused })
    expect(await callIn('default')).toMatchObject({ status: 'completed' })
    await expect(api.changeTenant(owner, { slug: 'delta', reason })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await api.changeTenant(owner, { slug: 'delta', status: 'active' })
    expect(await api.authenticate(token, 'api')).toMatchObject({ tenant: 'delta' })
    expect(await callIn('delta')).toMatchObject({ status: 'completed' })
  })

  test('queued calls of a suspended tenant wait, and run when it is resumed', async () => {
    const { api } = crib
    await api.createTenant(owner, { slug: 'epsilon' })
    const made = await crib.call('test.note', {}, { tenant: 'epsilon', delay: 6 })
    const dueAt = Date.now() + 6000
    const later = await crib.call('test.note', {}, { tenant: 'epsilon', delay: 3600 })
    await api.changeTenant(owner, { slug: 'epsilon', status: 'suspended' })
    await expect.poll(() => Date.now()).toBeGreaterThan(dueAt + 1500)
    const id = made.callId ?? ''
    const there = { ...ownerOf('epsilon') }
    expect(await api.findCall(there, { id })).toMatchObject({ status: 'queued' })
    await api.changeTenant(owner, { slug: 'epsilon', status: 'active' })
    expect(await api.findCall(there, { id, wait: 60 })).toMatchObject({
      status: 'completed',
    })
    expect(await api.findCall(there, { id: later.callId ?? '' })).toMatchObject({
      status: 'queued',
    })
  })

  test('a deleted tenant is gone for every door at once', async () => {
    const { api } = crib
    await api.createTenant(owner, { slug: 'zeta' })
    const { token } = await api.createKey(await api.actIn(owner, 'zeta'), {
      name: 'k',
      scopes: ['*'],
    })
    await callIn('zeta')
    await expect(api.deleteTenant(owner, { slug: 'zeta', confirm: 'zet' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await api.deleteTenant(owner, { slug: 'zeta', confirm: 'zeta' })
    expect(await api.authenticate(token, 'api')).toBeUndefined()
    for (const attempt of [
      () => api.actIn(owner, 'zeta'),
      () => api.findTenant(owner, { slug: 'zeta' }),
      () => api.changeTenant(owner, { slug: 'zeta', status: 'active' }),
      () => api.deleteTenant(owner, { slug: 'zeta', confirm: 'zeta' }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no tenant "zeta"',
      })
    }
    expect(await callIn('zeta')).toMatchObject({ error: { code: 'tool_not_found' } })
    await expect(
      api.deleteTenant(owner, { slug: 'fixed', confirm: 'fixed' }),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
  })
})
