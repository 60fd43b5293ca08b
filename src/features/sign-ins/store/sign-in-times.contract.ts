import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { OpenStores } from '../../open-stores.ts'
import { signInStoreOf } from './testing/sign-in-store-of.ts'
import { signInIdleMs, signInMostMs } from '../../../core/sign-in/sign-in.ts'
import type { Tables } from '../../../store/tables.ts'
import { freshTenant } from '../../../store/contract/records.ts'

const by = { kind: 'user', id: 'owner' } as const
const minute = 60_000
const day = 86_400_000

/** How long sign-ins live, seen in the database itself. */
export function describeSignInTimes(store: () => OpenStores, db: () => Kysely<Tables>): void {
  async function openSignIn() {
    const tenant = freshTenant()
    await store().tenants.create({ slug: tenant, name: tenant }, by)
    await store().members.ensureOwner(tenant)
    const who = { id: 'owner' }
    const opened = await signInStoreOf(store()).signIns.open({
      tenant,
      who,
      method: 'link',
      visitor: {},
    })
    return { tenant, ...opened }
  }
  const setTimes = (id: string, times: { created_ms?: number; last_seen_ms?: number }) =>
    db().updateTable('sessions').set(times).where('id', '=', id).execute()
  const rowOf = (id: string) =>
    db().selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()

  describe('the life of a sign-in', () => {
    test('use prolongs a sign-in, and is written once a minute at most', async () => {
      const { token, signIn } = await openSignIn()
      const before = Date.now()
      await setTimes(signIn.id, { last_seen_ms: before - minute / 2 })
      await signInStoreOf(store()).signIns.verify(token)
      expect((await rowOf(signIn.id))?.last_seen_ms).toBe(before - minute / 2)
      const other = await openSignIn()
      await setTimes(other.signIn.id, { last_seen_ms: before - 2 * minute })
      const verified = await signInStoreOf(store()).signIns.verify(other.token)
      const row = await rowOf(other.signIn.id)
      expect(row?.last_seen_ms).toBeGreaterThanOrEqual(before)
      expect(row?.expires_ms).toBe((row?.last_seen_ms ?? 0) + signInIdleMs)
      expect(Date.parse(verified?.signIn.expiresAt ?? '')).toBe(row?.expires_ms)
    })

    test('use prolongs no sign-in past thirty days', async () => {
      const { token, signIn } = await openSignIn()
      const created_ms = store().now() - 29 * day
      await setTimes(signIn.id, { created_ms, last_seen_ms: store().now() - day })
      await signInStoreOf(store()).signIns.verify(token)
      expect((await rowOf(signIn.id))?.expires_ms).toBe(created_ms + signInMostMs)
    })

    test('one that is over opens nothing, is not listed, and is swept away', async () => {
      const { tenant, token, signIn } = await openSignIn()
      await db()
        .updateTable('sessions')
        .set({ expires_ms: store().now() - 1 })
        .where('id', '=', signIn.id)
        .execute()
      expect(await signInStoreOf(store()).signIns.verify(token)).toBeUndefined()
      expect(await signInStoreOf(store()).signIns.list(tenant, 'owner')).toEqual([])
      expect(await signInStoreOf(store()).sweep()).toBeGreaterThanOrEqual(1)
      expect(await rowOf(signIn.id)).toBeUndefined()
    })

    test('the database contains neither cookies nor links', async () => {
      const { tenant, token } = await openSignIn()
      const { token: link } = await signInStoreOf(store()).tokens.create({
        kind: 'sign-in',
        tenant,
        facts: {},
        lifetimeMs: minute,
      })
      const rows = [
        ...(await db().selectFrom('sessions').selectAll().where('tenant', '=', tenant).execute()),
        ...(await db()
          .selectFrom('one_time_tokens')
          .selectAll()
          .where('tenant', '=', tenant)
          .execute()),
      ]
      expect(rows).toHaveLength(2)
      const text = rows.map(({ hash, ...row }) => JSON.stringify(row) + Buffer.from(hash)).join()
      for (const secret of [token, link, Buffer.from(token, 'base64url').toString('latin1')])
        expect(text).not.toContain(secret)
    })

    test('a member has at most fifty sign-ins; a new one ends the longest unused', async () => {
      const { tenant, signIn } = await openSignIn()
      await setTimes(signIn.id, { last_seen_ms: 1 })
      const entry = { tenant, who: { id: 'owner' }, method: 'link', visitor: {} } as const
      for (let at = 0; at < 50; at += 1) await signInStoreOf(store()).signIns.open(entry)
      const all = await signInStoreOf(store()).signIns.list(tenant, 'owner')
      expect(all).toHaveLength(50)
      expect(all.some(({ id }) => id === signIn.id)).toBe(false)
    })
  })
}
