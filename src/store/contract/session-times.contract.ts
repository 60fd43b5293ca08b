import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../core/ports.ts'
import { sessionIdleMs, sessionMostMs } from '../../core/sign-in/session.ts'
import type { Tables } from '../tables.ts'
import { freshTenant } from './records.ts'

const by = { kind: 'user', id: 'owner' } as const
const minute = 60_000
const day = 86_400_000

/** How long sessions live, seen in the database itself. */
export function describeSessionTimes(store: () => Store, db: () => Kysely<Tables>): void {
  async function openSession() {
    const tenant = freshTenant()
    await store().tenants.create({ slug: tenant, name: tenant }, by)
    await store().members.ensureOwner(tenant)
    const who = { id: 'owner' }
    const opened = await store().signIn.sessions.open({
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

  describe('the life of a session', () => {
    test('a session that is used lives on, and is written once a minute at most', async () => {
      const { token, session } = await openSession()
      const before = Date.now()
      await setTimes(session.id, { last_seen_ms: before - minute / 2 })
      await store().signIn.sessions.verify(token)
      expect((await rowOf(session.id))?.last_seen_ms).toBe(before - minute / 2)
      const other = await openSession()
      await setTimes(other.session.id, { last_seen_ms: before - 2 * minute })
      const verified = await store().signIn.sessions.verify(other.token)
      const row = await rowOf(other.session.id)
      expect(row?.last_seen_ms).toBeGreaterThanOrEqual(before)
      expect(row?.expires_ms).toBe((row?.last_seen_ms ?? 0) + sessionIdleMs)
      expect(Date.parse(verified?.session.expiresAt ?? '')).toBe(row?.expires_ms)
    })

    test('use carries no session past its thirty days', async () => {
      const { token, session } = await openSession()
      const created_ms = Date.now() - 29 * day
      await setTimes(session.id, { created_ms, last_seen_ms: Date.now() - day })
      await store().signIn.sessions.verify(token)
      expect((await rowOf(session.id))?.expires_ms).toBe(created_ms + sessionMostMs)
    })

    test('one that is over opens nothing, is not listed, and is swept away', async () => {
      const { tenant, token, session } = await openSession()
      await db()
        .updateTable('sessions')
        .set({ expires_ms: Date.now() - 1 })
        .where('id', '=', session.id)
        .execute()
      expect(await store().signIn.sessions.verify(token)).toBeUndefined()
      expect(await store().signIn.sessions.list(tenant, 'owner')).toEqual([])
      expect(await store().signIn.sweep()).toBeGreaterThanOrEqual(1)
      expect(await rowOf(session.id)).toBeUndefined()
    })

    test('neither a cookie nor a link stands in the database', async () => {
      const { tenant, token } = await openSession()
      const { token: link } = await store().signIn.tokens.create({
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

    test('a member keeps fifty sessions; the longest unused makes room', async () => {
      const { tenant, session } = await openSession()
      await setTimes(session.id, { last_seen_ms: 1 })
      const entry = { tenant, who: { id: 'owner' }, method: 'link', visitor: {} } as const
      for (let at = 0; at < 50; at += 1) await store().signIn.sessions.open(entry)
      const all = await store().signIn.sessions.list(tenant, 'owner')
      expect(all).toHaveLength(50)
      expect(all.some(({ id }) => id === session.id)).toBe(false)
    })
  })
}
