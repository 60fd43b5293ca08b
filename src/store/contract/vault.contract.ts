import { describe, expect, test } from 'vitest'
import type { Kysely } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../core/ports.ts'
import { formatApiKey, parseApiKey } from '../../core/keys/api-key-token.ts'
import type { Tables } from '../tables.ts'
import { freshTenant } from './records.ts'

/** What every store promises about secrets and keys. `db` looks at what is really stored. */
export function describeVault(store: () => Store, db: () => Kysely<Tables>): void {
  describe('secrets', () => {
    test('a secret is read by its name, and the agent’s own wins over the tenant’s', async () => {
      const tenant = freshTenant()
      await store().secrets.write({ tenant }, 'api_key', 'tenant-value')
      await store().secrets.write({ tenant, agent: 'support' }, 'api_key', 'agent-value')
      await store().secrets.write({ tenant }, 'other', 'other-value')
      const names = ['api_key', 'other', 'missing', 'not a name', '\0']
      const read = async (agent?: string) =>
        Object.fromEntries(await store().secrets.read({ tenant, agent }, names))
      expect(await read()).toEqual({ api_key: 'tenant-value', other: 'other-value' })
      expect(await read('support')).toEqual({ api_key: 'agent-value', other: 'other-value' })
      expect([...(await store().secrets.read({ tenant: freshTenant() }, names))]).toEqual([])
    })

    test('the list says what is set and counts versions, and never a value', async () => {
      const tenant = freshTenant()
      await store().secrets.write({ tenant }, 'b_key', 'first-value')
      await store().secrets.write({ tenant }, 'b_key', 'second-value')
      await store().secrets.write({ tenant, agent: 'support' }, 'a_key', 'third-value')
      const list = await store().secrets.list(tenant)
      expect(list).toEqual([
        { name: 'a_key', agent: 'support', version: 1, updatedAt: list[0]?.updatedAt },
        { name: 'b_key', version: 2, updatedAt: list[1]?.updatedAt },
      ])
      expect(await store().secrets.delete({ tenant, agent: 'support' }, 'a_key')).toBe(true)
      expect(await store().secrets.delete({ tenant, agent: 'support' }, 'a_key')).toBe(false)
      expect(await store().secrets.list(tenant)).toEqual([list[1]])
    })

    test('a row that was altered, moved or swapped does not open', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const write = (name: string) => store().secrets.write({ tenant }, name, `value of ${name}`)
      const rowOf = (name: string) =>
        db()
          .selectFrom('secrets')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
      await Promise.all([write('first'), write('second')])
      const [first, second] = [await rowOf('first'), await rowOf('second')]
      const flipped = Uint8Array.from(first.sealed)
      flipped[flipped.length - 1]! ^= 1
      const tampers = [
        { sealed: second.sealed },
        { sealed: flipped },
        { sealed: first.sealed.subarray(0, 20) },
        { wrapped_key: second.wrapped_key },
        { wrapped_key: second.wrapped_key, sealed: second.sealed },
      ]
      for (const tamper of tampers) {
        await db().updateTable('secrets').set(tamper).where('id', '=', first.id).execute()
        const read = store().secrets.read({ tenant }, ['first'])
        await expect(read).rejects.toMatchObject({ code: 'secret_missing' })
        await db().updateTable('secrets').set(first).where('id', '=', first.id).execute()
      }
      await db().updateTable('secrets').set({ tenant: other }).where('id', '=', first.id).execute()
      await expect(store().secrets.read({ tenant: other }, ['first'])).rejects.toMatchObject({
        code: 'secret_missing',
      })
      await db()
        .updateTable('secrets')
        .set({ tenant, agent: 'a' })
        .where('id', '=', first.id)
        .execute()
      await expect(store().secrets.read({ tenant, agent: 'a' }, ['first'])).rejects.toMatchObject({
        code: 'secret_missing',
      })
    })

    test('names and values out of bounds are refused with the reason', async () => {
      const write = (name: string, value: string) =>
        store().secrets.write({ tenant: freshTenant() }, name, value)
      const bad = [
        ['', 'long enough'],
        ['1abc', 'long enough'],
        ['a b', 'long enough'],
        ['a'.repeat(101), 'long enough'],
        ['name', ''],
        ['name', 'x'.repeat(65 * 1024)],
        ['name', 'half a pair \ud800'],
        ['name', 'null \0 in it'],
      ] as const
      for (const [name, value] of bad) {
        await expect(write(name, value)).rejects.toMatchObject({ code: 'invalid_input' })
      }
      for (const value of ['x', 'eu', 'x'.repeat(64 * 1024)]) {
        expect(await write('name', value)).toMatchObject({ version: 1 })
      }
      expect(await write('a.b-c_1', 'any text \u{1f600}')).toMatchObject({ version: 1 })
    })
  })

  describe('API keys', () => {
    test('a created key verifies, and is listed without its secret', async () => {
      const tenant = freshTenant()
      const expiresAt = new Date(Date.now() + 60_000)
      const { key, token } = await store().keys.create({
        tenant,
        name: 'ci',
        scopes: ['tools.call'],
        agent: 'support',
        expiresAt,
      })
      expect(key).toEqual({
        id: parseApiKey(token)?.id,
        tenant,
        name: 'ci',
        scopes: ['tools.call'],
        agent: 'support',
        createdAt: key.createdAt,
        expiresAt: expiresAt.toISOString(),
      })
      expect(await store().keys.verify(token)).toEqual(key)
      await store().flush()
      const [listed] = (await store().keys.list(tenant, { limit: 10 })).items
      expect(listed).toEqual({ ...key, lastUsedAt: listed?.lastUsedAt })
      expect(Date.parse(listed?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 10_000)
      const row = await db()
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(parseApiKey(token)?.secret)
    })

    test('anything wrong with a token finds no key', async () => {
      const { token } = await store().keys.create({ tenant: freshTenant(), name: 'k', scopes: [] })
      const other = await store().keys.create({ tenant: freshTenant(), name: 'k', scopes: [] })
      const [parts, others] = [parseApiKey(token)!, parseApiKey(other.token)!]
      const wrong = [
        '',
        'crib_',
        token.slice(0, -1),
        `${token}x`,
        ` ${token}`,
        `${token}\n`,
        token.toUpperCase(),
        '\0',
        formatApiKey({ id: parts.id, secret: others.secret }),
        formatApiKey({ id: 'AAAAAAAAAA', secret: parts.secret }),
      ]
      for (const attempt of wrong) expect(await store().keys.verify(attempt)).toBeUndefined()
      expect(await store().keys.verify(token)).toBeDefined()
    })

    test('a revoked key stops at once, an expired one by itself', async () => {
      const tenant = freshTenant()
      const { key, token } = await store().keys.create({ tenant, name: 'k', scopes: [] })
      const short = await store().keys.create({
        tenant,
        name: 's',
        scopes: [],
        expiresAt: new Date(Date.now() + 300),
      })
      expect(await store().keys.verify(token)).toBeDefined()
      expect(await store().keys.verify(short.token)).toBeDefined()
      expect(await store().keys.revoke(freshTenant(), key.id)).toBe(false)
      expect(await store().keys.revoke(tenant, key.id)).toBe(true)
      expect(await store().keys.verify(token)).toBeUndefined()
      expect(await store().keys.revoke(tenant, key.id)).toBe(false)
      await sleep(310)
      expect(await store().keys.verify(short.token)).toBeUndefined()
      expect(
        (await store().keys.list(tenant, { limit: 10 })).items.find(({ id }) => id === key.id)
          ?.revokedAt,
      ).toBeDefined()
    })
  })
}
