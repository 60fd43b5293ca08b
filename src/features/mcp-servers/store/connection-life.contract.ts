import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Stores } from '../../stores.ts'
import type { Tables } from '../../../store/tables.ts'
import { freshTenant } from '../../../store/contract/records.ts'

const by = { kind: 'user', id: 'anna' } as const
const issuer = 'https://id.example'
const entry = { kind: 'tokens', issuer, value: { token: 'sk_live_4242' } } as const

/** Further guarantees of the database: credentials are sealed, and removed with their owner. */
export function describeConnectionLife(store: () => Stores, db: () => Kysely<Tables>): void {
  const connect = (tenant: string, subject: string, server = 'docs') =>
    store().connections.put({ tenant, server, subject }, entry)
  const subjects = async (tenant: string, server = 'docs') =>
    (await store().connections.list(tenant, server)).map(({ subject }) => subject)

  describe('the life of connections', () => {
    test('a member who goes takes theirs along, a revoked key too', async () => {
      const tenant = freshTenant()
      const member = { name: 'Bob', role: 'member', permissions: [] }
      const { id } = await store().members.create(tenant, member, { by, event: 'member.added' })
      const { key } = await store().keys.create({ tenant, name: 'k', scopes: ['*'] })
      for (const subject of [`user:${id}`, `key:${key.id}`, 'user:other', '']) {
        await connect(tenant, subject)
      }
      await store().members.remove(tenant, id, { by })
      expect(await subjects(tenant)).toEqual(['', `key:${key.id}`, 'user:other'])
      await store().keys.revoke(tenant, key.id, by)
      expect(await subjects(tenant)).toEqual(['', 'user:other'])
    })

    test('a server that is removed takes all of its along, and none of another', async () => {
      const tenant = freshTenant()
      await store().rules.change(tenant, by, async (draft) => {
        await draft.put('mcp-server', 'docs', { body: { url: 'https://docs.example' } })
        await draft.put('label', 'docs', { body: {} })
      })
      await connect(tenant, '')
      await connect(tenant, 'user:anna', 'mail')
      await store().rules.change(tenant, by, (draft) => draft.delete('label', 'docs'))
      expect(await subjects(tenant)).toEqual([''])
      await store().rules.change(tenant, by, (draft) => draft.delete('mcp-server', 'docs'))
      expect([await subjects(tenant), await subjects(tenant, 'mail')]).toEqual([[], ['user:anna']])
    })

    test('no token is in the database to be read, and none opens in another row', async () => {
      const tenant = freshTenant()
      await connect(tenant, 'user:anna')
      await connect(tenant, 'user:bob')
      const rows = await db()
        .selectFrom('mcp_connections')
        .selectAll()
        .where('tenant', '=', tenant)
        .orderBy('subject')
        .execute()
      const text = rows.map(({ sealed }) => Buffer.from(sealed).toString('latin1')).join()
      expect(text).not.toContain('4242')
      const { sealed, wrapped_key } = rows[0] ?? {}
      await db()
        .updateTable('mcp_connections')
        .set({ sealed, wrapped_key })
        .where('tenant', '=', tenant)
        .where('subject', '=', 'user:bob')
        .execute()
      const key = { tenant, server: 'docs', subject: 'user:bob' }
      await expect(store().connections.find(key, { kind: 'tokens' })).rejects.toMatchObject({
        code: 'secret_missing',
      })
    })
  })
}
