import { describe, expect, test } from 'vitest'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { Principal } from '../../../core/kernel/call.ts'
import type { Member, NewMember } from '../../../core/people/member.ts'
import type { Stores } from '../../stores.ts'
import { freshTenant } from '../../../store/contract/records.ts'

const by = { kind: 'user', id: 'owner' } as const
const added = { by, event: 'member.added' } as const

function personOf(name: string, more: Partial<NewMember> = {}): NewMember {
  return { name, email: `${name}@example.com`, role: 'member', permissions: [], ...more }
}

const codeOf = (error: unknown) => (isToolError(error) ? error.code : String(error))

/** The contract of every store for members. */
export function describeMembers(store: () => Stores): void {
  const members = () => store().members
  const eventsOf = async (tenant: string) =>
    (await store().events.read(tenant, { limit: 100 })).items.map(({ type, principal, data }) => ({
      type,
      principal,
      data,
    }))

  describe('members', () => {
    test('a member is found by id and by address, in its own tenant alone', async () => {
      const tenant = freshTenant()
      const ada = await members().create(tenant, personOf('ada', { permissions: ['a.b'] }), added)
      expect(ada).toEqual({
        id: expect.stringMatching(/^mem_[0-9a-f]{32}$/),
        tenant,
        email: 'ada@example.com',
        name: 'ada',
        role: 'member',
        permissions: ['a.b'],
        status: 'active',
        createdAt: expect.any(String),
      })
      expect(await members().find(tenant, ada.id)).toEqual(ada)
      expect(await members().findByEmail(tenant, 'ada@example.com')).toEqual(ada)
      expect(await members().find(freshTenant(), ada.id)).toBeUndefined()
      expect(await members().findByEmail(freshTenant(), 'ada@example.com')).toBeUndefined()
      expect(await members().find(tenant, 'a\0b')).toBeUndefined()
      const { email, id, name, role, permissions } = ada
      expect(await eventsOf(tenant)).toEqual([
        { type: 'member.added', principal: by, data: { id, email, name, role, permissions } },
      ])
    })

    test('an address is one member of a tenant, also when two come at once', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const tries = await Promise.allSettled(
        [1, 2, 3].map((number) =>
          members().create(tenant, personOf('ada', { name: `Ada ${number}` }), added),
        ),
      )
      const refused = tries.filter((one) => one.status === 'rejected')
      expect(refused.map(({ reason }) => codeOf(reason))).toEqual(['conflict', 'conflict'])
      expect((await members().list(tenant, { limit: 10 })).items).toHaveLength(1)
      expect(await members().create(other, personOf('ada'), added)).toMatchObject({ tenant: other })
      const nameless = { name: 'x', role: 'viewer', permissions: [] }
      await members().create(tenant, nameless, added)
      await members().create(tenant, nameless, added)
      expect((await members().list(tenant, { limit: 10 })).items).toHaveLength(3)
    })

    test('a list is read in pages, each member once', async () => {
      const tenant = freshTenant()
      const made: Member[] = []
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        made.push(await members().create(tenant, personOf(name), added))
      }
      const first = await members().list(tenant, { limit: 2 })
      expect(first).toEqual({ items: made.slice(0, 2), next: made[1]?.id })
      const rest = await members().list(tenant, { limit: 3, after: first.next })
      expect(rest).toEqual({ items: made.slice(2) })
    })

    test('a change records what it changed, and one that changes nothing records nothing', async () => {
      const tenant = freshTenant()
      const { id } = await members().create(tenant, personOf('ada'), added)
      const change = { role: 'operator', permissions: ['billing.refund'] }
      const after = await members().change(tenant, id, { by, change })
      expect(after).toMatchObject({ id, ...change, name: 'ada', status: 'active' })
      expect(await members().find(tenant, id)).toEqual(after)
      await members().change(tenant, id, { by, change })
      expect((await eventsOf(tenant)).slice(1)).toEqual([
        {
          type: 'member.changed',
          principal: by,
          data: { id, name: 'ada', from: { role: 'member', permissions: [] }, to: change },
        },
      ])
      expect(await members().change(tenant, 'mem_0', { by, change })).toBeUndefined()
      expect(await members().change(freshTenant(), id, { by, change })).toBeUndefined()
    })

    test('a caller who may not change a member changes nothing', async () => {
      const tenant = freshTenant()
      const ada = await members().create(tenant, personOf('ada'), added)
      const seen: Member[] = []
      const check = (member: Member) => {
        seen.push(member)
        throw new ToolError('forbidden', 'no')
      }
      const change = { role: 'admin' }
      await expect(members().change(tenant, ada.id, { by, check, change })).rejects.toThrow('no')
      await expect(members().remove(tenant, ada.id, { by, check })).rejects.toThrow('no')
      expect(seen).toEqual([ada, ada])
      expect(await members().find(tenant, ada.id)).toEqual(ada)
    })

    test('the last owner stays an owner, however it is attempted', async () => {
      const tenant = freshTenant()
      const { id } = await members().create(tenant, personOf('ada', { role: 'owner' }), added)
      const refused = [
        () => members().change(tenant, id, { by, change: { role: 'admin' } }),
        () => members().change(tenant, id, { by, change: { status: 'suspended' } }),
        () => members().remove(tenant, id, { by }),
      ]
      for (const one of refused) await expect(one()).rejects.toMatchObject({ code: 'conflict' })
      expect(await members().find(tenant, id)).toMatchObject({ role: 'owner', status: 'active' })
      expect(await members().change(tenant, id, { by, change: { name: 'Ada' } })).toMatchObject({
        name: 'Ada',
      })
    })

    test('two owners who remove each other at the same time leave one of them', async () => {
      const tenant = freshTenant()
      const make = async (name: string) =>
        (await members().create(tenant, personOf(name, { role: 'owner' }), added)).id
      const [ada, bob] = [await make('ada'), await make('bob')]
      const tries = await Promise.allSettled([
        members().remove(tenant, ada, { by }),
        members().change(tenant, bob, { by, change: { status: 'suspended' } }),
      ])
      expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const { items } = await members().list(tenant, { limit: 10 })
      const owners = items.filter(({ role, status }) => role === 'owner' && status === 'active')
      expect(owners).toHaveLength(1)
    })

    test('a removed member cannot be found, and the address is free again', async () => {
      const tenant = freshTenant()
      const { id } = await members().create(tenant, personOf('ada'), added)
      expect(await members().remove(freshTenant(), id, { by })).toBe(false)
      expect(await members().remove(tenant, id, { by })).toBe(true)
      expect(await members().remove(tenant, id, { by })).toBe(false)
      expect(await members().find(tenant, id)).toBeUndefined()
      const again = await members().create(tenant, personOf('ada'), { event: 'member.joined' })
      const email = 'ada@example.com'
      expect((await eventsOf(tenant)).slice(1)).toEqual([
        { type: 'member.removed', principal: by, data: { id, name: 'ada', role: 'member', email } },
        {
          type: 'member.joined',
          principal: { kind: 'user', id: again.id },
          data: { id: again.id, name: 'ada', role: 'member', permissions: [], email },
        },
      ])
    })

    test('a removed member takes along the keys they made, and those that these made', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { keys } = store()
      const { id } = await members().create(tenant, personOf('ada'), added)
      const ada = { kind: 'user', id } as const
      const make = async (of: string, maker: Principal) =>
        (await keys.create({ tenant: of, name: 'k', scopes: [], by: maker, home: tenant })).key.id
      const first = await make(tenant, ada)
      const second = await make(tenant, { kind: 'key', id: first })
      const abroad = await make(other, ada)
      const taken = await make(tenant, ada)
      const owners = await make(tenant, by)
      // Rotating a key makes you its holder.
      await keys.rotate(tenant, taken, { by })
      expect(await members().remove(tenant, id, { by })).toBe(true)
      const isRevoked = async (of: string, key: string) =>
        (await keys.find(of, key))?.revokedAt !== undefined
      expect(await isRevoked(tenant, first)).toBe(true)
      expect(await isRevoked(tenant, second)).toBe(true)
      expect(await isRevoked(other, abroad)).toBe(true)
      expect(await isRevoked(tenant, taken)).toBe(false)
      expect(await isRevoked(tenant, owners)).toBe(false)
      const told = (await eventsOf(other)).filter(({ type }) => type === 'key.revoked')
      expect(told).toEqual([
        { type: 'key.revoked', principal: by, data: { id: abroad, member: id } },
      ])
    })

    test('the first owner is there once, however often it is asked for', async () => {
      const tenant = freshTenant()
      const [first, second] = await Promise.all([
        members().ensureOwner(tenant),
        members().ensureOwner(tenant),
      ])
      expect(first).toEqual({
        id: 'owner',
        tenant,
        name: 'Owner',
        role: 'owner',
        permissions: [],
        status: 'active',
        createdAt: expect.any(String),
      })
      expect(second).toEqual(first)
      await members().change(tenant, 'owner', { by, change: { name: 'Ada' } })
      expect(await members().ensureOwner(tenant)).toMatchObject({ name: 'Ada' })
    })

    test('a password is known only to its owner, and no event has it', async () => {
      const tenant = freshTenant()
      const ada = await members().create(tenant, personOf('ada'), added)
      const email = 'ada@example.com'
      expect(await members().findWithPassword(tenant, { email })).toEqual({
        member: ada,
        passwordHash: undefined,
      })
      const hash = '$argon2id$v=19$the-hash'
      expect(await members().setPasswordHash(tenant, ada.id, { hash, by })).toBe(true)
      expect(await members().findWithPassword(tenant, { id: ada.id })).toEqual({
        member: ada,
        passwordHash: hash,
      })
      expect(await members().find(tenant, ada.id)).toEqual(ada)
      expect(await members().findWithPassword(freshTenant(), { email })).toBeUndefined()
      expect(await members().setPasswordHash(freshTenant(), ada.id, { hash, by })).toBe(false)
      await members().setPasswordHash(tenant, ada.id, { hash: undefined, by })
      expect(await members().findWithPassword(tenant, { email })).toMatchObject({
        passwordHash: undefined,
      })
      const told = await eventsOf(tenant)
      expect(told.slice(1).map(({ data }) => data)).toEqual([
        { id: ada.id, password: 'set' },
        { id: ada.id, password: 'removed' },
      ])
    })
  })
}
