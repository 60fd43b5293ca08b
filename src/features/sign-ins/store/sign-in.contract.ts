import { describe, expect, test } from 'vitest'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { OpenStores } from '../../open-stores.ts'
import { signInStoreOf } from './testing/sign-in-store-of.ts'
import type { Entry } from '../sign-in-store.ts'
import { eventOf, freshTenant } from '../../../store/contract/records.ts'

const by = { kind: 'user', id: 'owner' } as const
const hour = 3_600_000

const codeOf = (error: unknown) => (isToolError(error) ? error.code : String(error))

/** The contract of every store about signing in. */
export function describeSignIn(store: () => OpenStores): void {
  const signIn = () => signInStoreOf(store())
  async function tenantWithOwner(): Promise<string> {
    const tenant = freshTenant()
    await store().tenants.create({ slug: tenant, name: tenant }, by)
    await store().members.ensureOwner(tenant)
    return tenant
  }
  const entryOf = (tenant: string, more: Partial<Entry> = {}): Entry => ({
    tenant,
    who: { id: 'owner' },
    method: 'password',
    visitor: { address: '10.0.0.1', userAgent: 'Test' },
    ...more,
  })
  const eventsOf = async (tenant: string) =>
    (await store().events.read(tenant, { limit: 100 })).items
      .filter(({ type }) => type.startsWith('member.'))
      .map(({ type, data }) => [type, data])

  describe('signing in', () => {
    test('a sign-in is found by its cookie, with the member as they are now', async () => {
      const tenant = await tenantWithOwner()
      const opened = await signIn().signIns.open(entryOf(tenant))
      expect(opened.token).toMatch(/^[\w-]{43}$/)
      expect(opened.signIn).toEqual({
        id: expect.stringMatching(/^ses_/),
        member: 'owner',
        method: 'password',
        address: '10.0.0.1',
        userAgent: 'Test',
        createdAt: expect.any(String),
        lastSeenAt: opened.signIn.createdAt,
        expiresAt: new Date(Date.parse(opened.signIn.createdAt) + 7 * 24 * hour).toISOString(),
      })
      const { token, ...verified } = opened
      expect(await signIn().signIns.verify(token)).toEqual(verified)
      expect(await signIn().signIns.list(tenant, 'owner')).toEqual([opened.signIn])
      for (const other of ['', 'x', `${token}x`, token.toLowerCase()])
        expect(await signIn().signIns.verify(other)).toBeUndefined()
      expect(await eventsOf(tenant)).toEqual([
        [
          'member.signed_in',
          { session: opened.signIn.id, method: 'password', address: '10.0.0.1' },
        ],
      ])
    })

    test('signing in again ends the earlier sign-in of the browser', async () => {
      const tenant = await tenantWithOwner()
      const first = await signIn().signIns.open(entryOf(tenant))
      const again = entryOf(tenant, { visitor: { token: first.token } })
      const second = await signIn().signIns.open(again)
      expect(await signIn().signIns.verify(first.token)).toBeUndefined()
      expect(await signIn().signIns.list(tenant, 'owner')).toEqual([second.signIn])
    })

    test('a demotion or suspension applies at once, also to existing sign-ins', async () => {
      const tenant = await tenantWithOwner()
      const joins = { email: 'ada@example.com', name: 'Ada', role: 'viewer', permissions: [] }
      const { token, member } = await signIn().signIns.open(
        entryOf(tenant, { who: { joins, passwordHash: 'x' }, method: 'invitation' }),
      )
      const role = async () => (await signIn().signIns.verify(token))?.member.role
      expect(await role()).toBe('viewer')
      await store().members.change(tenant, member.id, { by, change: { role: 'auditor' } })
      await expect.poll(role).toBe('auditor')
      await store().members.change(tenant, member.id, { by, change: { status: 'suspended' } })
      await expect.poll(role).toBeUndefined()
      await expect(
        signIn()
          .signIns.open(entryOf(tenant, { who: { id: member.id } }))
          .catch(codeOf),
      ).resolves.toBe('sign_in_failed')
    })

    test('sign-ins are ended one by one, or all but one, by their own member or anybody who names them', async () => {
      const tenant = await tenantWithOwner()
      const opened = []
      for (let at = 0; at < 4; at += 1) opened.push(await signIn().signIns.open(entryOf(tenant)))
      const [a, b, c, d] = opened.map(({ signIn: one }) => one.id)
      const { signIns } = signIn()
      expect(await signIns.end(tenant, a ?? '', { principal: by, member: 'other' })).toBe(false)
      expect(await signIns.end(freshTenant(), a ?? '', { principal: by })).toBe(false)
      expect(await signIns.end(tenant, a ?? '', { principal: by, member: 'owner' })).toBe(true)
      expect(await signIns.end(tenant, a ?? '', { principal: by })).toBe(false)
      expect(await signIns.endAll(tenant, 'owner', { principal: by, except: c })).toBe(2)
      expect((await signIns.list(tenant, 'owner')).map(({ id }) => id)).toEqual([c])
      await signIns.endByToken(opened[2]?.token ?? '')
      expect(await signIns.list(tenant, 'owner')).toEqual([])
      const told = (await eventsOf(tenant)).filter(([type]) => type === 'member.signed_out')
      expect(told.map(([, data]) => data)).toEqual([
        { member: 'owner', sessions: 1 },
        { member: 'owner', sessions: 2 },
        { member: 'owner', sessions: 1 },
      ])
      expect(new Set([a, b, c, d]).size).toBe(4)
    })

    test('of ten who use one link at once, one gets in', async () => {
      const tenant = await tenantWithOwner()
      const facts = { member: 'owner' }
      const link = await signIn().tokens.create({
        kind: 'sign-in',
        tenant,
        facts,
        lifetimeMs: hour,
      })
      expect(await signIn().tokens.find('sign-in', link.token)).toMatchObject({ tenant, facts })
      expect(await signIn().tokens.find('invitation', link.token)).toBeUndefined()
      const entry = entryOf(tenant, { spends: { kind: 'sign-in', token: link.token } })
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          signIn()
            .signIns.open(entry)
            .then(() => 'in', codeOf),
        ),
      )
      expect(answers.toSorted()).toEqual(['in', ...Array<string>(9).fill('sign_in_failed')])
      expect(await signIn().signIns.list(tenant, 'owner')).toHaveLength(1)
    })

    test('a token is not used up by a sign-in that fails, nor good in another tenant or after its time', async () => {
      const tenant = await tenantWithOwner()
      const make = (lifetimeMs: number) =>
        signIn().tokens.create({ kind: 'sign-in', tenant, facts: {}, lifetimeMs })
      const { token } = await make(hour)
      const spends = { kind: 'sign-in', token } as const
      const open = (entry: Entry) =>
        signIn()
          .signIns.open(entry)
          .then(() => 'in', codeOf)
      expect(await open(entryOf(await tenantWithOwner(), { spends }))).toBe('sign_in_failed')
      const past = await make(-1)
      expect(await signIn().tokens.find('sign-in', past.token)).toBeUndefined()
      const late = { kind: 'sign-in', token: past.token } as const
      expect(await open(entryOf(tenant, { spends: late }))).toBe('sign_in_failed')
    })

    test('a withdrawn link no longer works, and a list shows the open ones', async () => {
      const tenant = await tenantWithOwner()
      const { tokens } = signIn()
      const event = eventOf('member.invited', { email: 'a@b' }, 1)
      const made = await tokens.create({
        kind: 'invitation',
        tenant,
        facts: { email: 'a@b' },
        lifetimeMs: hour,
        told: () => ({ principal: by, event }),
      })
      const { token, ...listed } = made
      const which = { kind: 'invitation', id: made.id } as const
      expect(await tokens.list(tenant, 'invitation')).toEqual([listed])
      expect(await tokens.list(freshTenant(), 'invitation')).toEqual([])
      expect(await tokens.revoke(freshTenant(), which, { principal: by, event })).toBe(false)
      expect(await tokens.revoke(tenant, which, { principal: by, event })).toBe(true)
      expect(await tokens.take('invitation', token)).toBeUndefined()
      expect((await eventsOf(tenant)).map(([type]) => type)).toEqual([
        'member.invited',
        'member.invited',
      ])
    })

    test('an address is a member once, also when two join at once', async () => {
      const tenant = await tenantWithOwner()
      const joins = { email: 'eve@example.com', name: 'Eve', role: 'member', permissions: [] }
      const entry = entryOf(tenant, { who: { joins } })
      const answers = await Promise.all(
        [entry, entry].map((one) =>
          signIn()
            .signIns.open(one)
            .then(() => 'in', codeOf),
        ),
      )
      expect(answers.toSorted()).toEqual(['conflict', 'in'])
    })

    test('a new password ends every other sign-in, and only its own rehash replaces it', async () => {
      const tenant = await tenantWithOwner()
      const kept = await signIn().signIns.open(entryOf(tenant))
      const lost = await signIn().signIns.open(entryOf(tenant))
      const keep = kept.signIn.id
      await signIn().people.setPassword(tenant, 'owner', { hash: 'one', keep, by })
      expect(await signIn().signIns.verify(lost.token)).toBeUndefined()
      expect(await signIn().signIns.verify(kept.token)).toBeDefined()
      expect(await signIn().people.havePasswords()).toBe(true)
      const hashOf = async () =>
        (await store().members.findWithPassword(tenant, { id: 'owner' }))?.passwordHash
      expect(await hashOf()).toBe('one')
      await signIn().people.rehash(tenant, 'owner', { from: 'one', to: 'two' })
      expect(await hashOf()).toBe('two')
    })

    test('many tries at once are no way around the limit, and a refused one counts nothing', async () => {
      const { attempts } = signIn()
      const account = freshTenant()
      // Less than none free: the first one makes the others wait for minutes, however slow they come.
      const limits = [{ subject: account, free: -20 }]
      const tries = await Promise.all(
        Array.from({ length: 12 }, () => attempts.begin(limits).then(() => 'tried', codeOf)),
      )
      expect(tries.filter((answer) => answer === 'tried')).toHaveLength(1)
      expect(tries.filter((answer) => answer === 'rate_limited')).toHaveLength(11)
      const other = { subject: freshTenant(), free: -20 }
      const both = () => attempts.begin([...limits, other]).then(() => 'tried', codeOf)
      expect(await both()).toBe('rate_limited')
      await attempts.succeed({ account })
      expect(await both()).toBe('tried')
      expect(await both()).toBe('rate_limited')
    })
  })
}
