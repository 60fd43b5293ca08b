import { afterEach, expect, test } from 'vitest'
import type { Crib } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { createTestCrib } from '../../src/testing/index.ts'

const owner = ownerOf()
let crib: Crib
afterEach(() => crib.close())

async function open(): Promise<Crib['api']> {
  crib = await createTestCrib({
    config: {
      roles: {
        cashier: { permissions: ['tools.call', 'billing.*'] },
        people: { permissions: ['members.manage', 'tools.call'] },
      },
      agents: [{ slug: 'support' }],
    },
  })
  return crib.api
}

/** A member as who signs in as them would call. */
async function memberAs(role: string, email = `${role}@example.com`): Promise<Caller> {
  const { id } = await crib.api.createMember(owner, { email, role })
  const all = {
    owner: ['*'],
    admin: ['*'],
    people: ['members.manage', 'tools.call'],
  }
  const permissions = all[role as keyof typeof all] ?? []
  return { ...owner, principal: { kind: 'user', id }, permissions }
}

const forbidden = { code: 'forbidden' }

test('the owner of a crib is a member from the first start on', async () => {
  const api = await open()
  expect(await api.whoAmI(owner)).toEqual({
    principal: { kind: 'user', id: 'owner' },
    tenant: 'default',
    permissions: ['*'],
    role: 'owner',
    name: 'Owner',
    changesFrom: expect.any(String),
  })
  expect((await api.listMembers(owner, { limit: 10 })).items.map(({ id }) => id)).toEqual(['owner'])
  await expect(api.removeMember(owner, { id: 'owner' })).rejects.toMatchObject({ code: 'conflict' })
})

test('a member is added with a small-letter address, and only with a role there is', async () => {
  const api = await open()
  const ada = await api.createMember(owner, { email: 'Ada@Example.COM', role: 'cashier' })
  expect(ada).toMatchObject({ email: 'ada@example.com', name: 'ada@example.com', role: 'cashier' })
  await expect(api.createMember(owner, { email: 'ADA@example.com' })).rejects.toMatchObject({
    code: 'conflict',
  })
  const unknown = { email: 'b@example.com', role: 'boss' }
  await expect(api.createMember(owner, unknown)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(api.changeMember(owner, { id: ada.id, role: 'boss' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await expect(api.createMember(owner, { email: 'no address' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test('nobody hands out more than they hold, nor touches who holds more', async () => {
  const api = await open()
  const people = await memberAs('people')
  const viewer = await api.createMember(owner, { email: 'v@example.com', role: 'viewer' })
  const refused = [
    () => api.createMember(people, { email: 'x@example.com', role: 'admin' }),
    () => api.createMember(people, { email: 'x@example.com', role: 'cashier' }),
    () => api.createMember(people, { email: 'x@example.com', permissions: ['secrets.write'] }),
    () => api.createMember(people, { email: 'x@example.com', permissions: ['*'] }),
    () => api.changeMember(people, { id: viewer.id, status: 'suspended' }),
    () => api.removeMember(people, { id: viewer.id }),
    () => api.changeMember(people, { id: people.principal.id, role: 'admin' }),
    () => api.changeMember(people, { id: people.principal.id, permissions: ['members.*'] }),
  ]
  for (const one of refused) await expect(one()).rejects.toMatchObject(forbidden)
  const helper = { email: 'h@example.com', role: 'people' }
  const { id } = await api.createMember(people, helper)
  expect(await api.changeMember(people, { id, name: 'Helper' })).toMatchObject({ name: 'Helper' })
  await api.removeMember(people, { id })
})

test('only an owner makes, changes and removes owners, and a key is never one', async () => {
  const api = await open()
  const admin = await memberAs('admin')
  const second = await memberAs('owner')
  const { token } = await api.createKey(owner, { name: 'all', scopes: ['*'] })
  const key = await api.authenticate(token, 'api')
  for (const caller of [admin, key as Caller]) {
    const refused = [
      () => api.createMember(caller, { email: 'o@example.com', role: 'owner' }),
      () => api.changeMember(caller, { id: admin.principal.id, role: 'owner' }),
      () => api.changeMember(caller, { id: 'owner', name: 'x' }),
      () => api.changeMember(caller, { id: 'owner', role: 'viewer' }),
      () => api.removeMember(caller, { id: 'owner' }),
    ]
    for (const one of refused) await expect(one()).rejects.toMatchObject(forbidden)
  }
  expect(await api.changeMember(second, { id: 'owner', role: 'admin' })).toMatchObject({
    role: 'admin',
  })
  const signedIn = { ...owner, signInId: 'ses_1' }
  const demoted = api.createMember(signedIn, { email: 'o@example.com', role: 'owner' })
  await expect(demoted).rejects.toMatchObject(forbidden)
  await expect(api.removeMember(second, { id: second.principal.id })).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('whoever holds the process stays an owner when the first owner is demoted or suspended as a member', async () => {
  const api = await open()
  const { id } = await api.createMember(owner, { email: 'ada@example.com', role: 'owner' })
  const signedIn = { ...owner, signInId: 'ses_1' }
  for (const change of [{ role: 'viewer' }, { status: 'suspended' }] as const) {
    await api.changeMember(owner, { id: 'owner', ...change })
    // A server makes one at every start, or does not start.
    expect(await api.createSignInLink(owner, {})).toMatchObject({ member: id })
    await expect(api.createSignInLink(signedIn, {})).rejects.toMatchObject(forbidden)
  }
})

test('members are managed with the permission alone, and never by a key of an agent', async () => {
  const api = await open()
  const viewer = { ...owner, permissions: ['policy.read'] }
  const auditor = { ...owner, permissions: ['audit.read'] }
  const bound = { ...owner, agent: 'support' }
  await expect(api.listMembers(viewer, { limit: 1 })).rejects.toMatchObject(forbidden)
  await expect(api.findMember(viewer, { id: 'owner' })).rejects.toMatchObject(forbidden)
  expect(await api.findMember(auditor, { id: 'owner' })).toMatchObject({ role: 'owner' })
  // What people are called is no secret among them; their addresses are.
  await api.createMember(owner, { email: 'ada@example.com' })
  const names = async (caller: typeof owner) =>
    (await api.listNames(caller)).items.map(({ name }) => name).toSorted()
  expect(await names(viewer)).toEqual(['Owner', 'ada'])
  const key = { kind: 'key' as const, id: 'k' }
  expect(await names({ ...auditor, principal: key })).toEqual(['Owner', 'ada'])
  for (const stranger of [
    { ...viewer, principal: key },
    { ...viewer, agent: 'support' },
  ]) {
    await expect(api.listNames(stranger)).rejects.toMatchObject(forbidden)
  }
  const request = { email: 'x@example.com', role: 'member' }
  for (const caller of [viewer, auditor, bound]) {
    await expect(api.createMember(caller, request)).rejects.toMatchObject(forbidden)
  }
  expect(await api.whoAmI(bound)).toMatchObject({ agent: 'support' })
})

test('members of another tenant are not there', async () => {
  const api = await open()
  await api.createTenant(owner, { slug: 'acme' })
  const there = await api.actIn(owner, 'acme')
  const { id } = await api.createMember(there, { email: 'ada@example.com', role: 'owner' })
  const missing = await api
    .findMember(owner, { id: 'mem_0' })
    .catch((error: Error) => error.message)
  expect(missing).toBe('There is no member "mem_0"')
  for (const attempt of [
    () => api.findMember(owner, { id }),
    () => api.changeMember(owner, { id, name: 'x' }),
    () => api.removeMember(owner, { id }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no member "${id}"`,
    })
  }
})

test('what a member of a custom role, or the role itself, may do is explained', async () => {
  const api = await open()
  const { id } = await api.createMember(owner, { email: 'c@example.com', role: 'cashier' })
  const explain = (as: string) => api.explain(owner, { as }).then(() => 'explained')
  for (const as of [`member:${id}`, 'role:cashier']) expect(await explain(as)).toBe('explained')
  await expect(explain('role:nobody')).rejects.toMatchObject({ code: 'not_found' })
})

test('a permission that is none is refused, for members as for keys', async () => {
  const api = await open()
  const { id } = await api.createMember(owner, {
    email: 'a@example.com',
    permissions: ['billing.*'],
  })
  // A line feed would make two of one where permissions are compared as text.
  for (const bad of ['billing refund', 'billing.x\n*', '']) {
    const permissions = [bad]
    const refused = [
      () => api.createMember(owner, { email: 'b@example.com', permissions }),
      () => api.changeMember(owner, { id, permissions }),
      () => api.createInvitation(owner, { email: 'c@example.com', role: 'member', permissions }),
    ]
    for (const one of refused) {
      await expect(one()).rejects.toMatchObject({ code: 'invalid_request' })
    }
  }
})
