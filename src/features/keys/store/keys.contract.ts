import { describe, expect, test } from 'vitest'
import type { Kysely } from 'kysely'
import { createId } from '../../../core/kernel/ids.ts'
import { formatApiKey, parseApiKey } from '../../../core/keys/api-key-token.ts'
import type { Stores } from '../../stores.ts'
import type { Tables } from '../../../store/tables.ts'
import { freshTenant, startOf } from '../../../store/contract/records.ts'

/** The contract of every store for API keys. `db` reads what is really stored. */
export function describeKeys(store: () => Stores, db: () => Kysely<Tables>): void {
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
      expect(Date.parse(listed?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 120_000)
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

    test('a revoked key stops at once, and an expired one on time', async () => {
      const tenant = freshTenant()
      const { key, token } = await store().keys.create({ tenant, name: 'k', scopes: [] })
      const short = await store().keys.create({
        tenant,
        name: 's',
        scopes: [],
        expiresAt: new Date(Date.now() + 1500),
      })
      expect(await store().keys.verify(token)).toBeDefined()
      expect(await store().keys.verify(short.token)).toBeDefined()
      expect(await store().keys.revoke(freshTenant(), key.id)).toBe(false)
      expect(await store().keys.revoke(tenant, key.id)).toBe(true)
      expect(await store().keys.verify(token)).toBeUndefined()
      expect(await store().keys.revoke(tenant, key.id)).toBe(false)
      await expect.poll(() => store().keys.verify(short.token)).toBeUndefined()
      expect(
        (await store().keys.list(tenant, { limit: 10 })).items.find(({ id }) => id === key.id)
          ?.revokedAt,
      ).toBeDefined()
    })

    test('a rotated key has another secret under the same id; the old one stops, or works for a while', async () => {
      const tenant = freshTenant()
      const { key, token } = await store().keys.create({ tenant, name: 'k', scopes: ['*'] })
      const rotate = async (overlapMs?: number) => {
        const issued = await store().keys.rotate(tenant, key.id, { overlapMs })
        if (issued === undefined) throw new Error('it was not rotated')
        return issued
      }
      const works = async (given: string) => (await store().keys.verify(given)) !== undefined
      const stateOf = async (given: string) => (await store().keys.inspect(given))?.state
      expect(await store().keys.rotate(freshTenant(), key.id, {})).toBeUndefined()
      const second = await rotate(60_000)
      const { rotatedAt, oldSecretUntil } = second.key
      expect(second.key).toEqual({ ...key, rotatedAt, oldSecretUntil })
      expect(parseApiKey(second.token)?.id).toBe(key.id)
      expect([await works(token), await works(second.token)]).toEqual([true, true])
      const third = await rotate()
      expect(third.key.oldSecretUntil).toBeUndefined()
      const tokens = [token, second.token, third.token]
      expect(await Promise.all(tokens.map(works))).toEqual([false, false, true])
      expect(await Promise.all(tokens.map(stateOf))).toEqual(['replaced', 'replaced', 'live'])
      await store().keys.revoke(tenant, key.id)
      expect([await stateOf(third.token), await works(third.token)]).toEqual(['revoked', false])
      expect(await store().keys.rotate(tenant, key.id, {})).toBeUndefined()
    })

    test('an old secret stops working when its time is over', async () => {
      const tenant = freshTenant()
      const { key, token } = await store().keys.create({ tenant, name: 'k', scopes: [] })
      await store().keys.rotate(tenant, key.id, { overlapMs: 1500 })
      expect(await store().keys.verify(token)).toBeDefined()
      await expect.poll(() => store().keys.verify(token)).toBeUndefined()
    })

    test('of two rotations at once, each gives a token and one of them works', async () => {
      const tenant = freshTenant()
      const { key } = await store().keys.create({ tenant, name: 'k', scopes: [] })
      const rotate = () => store().keys.rotate(tenant, key.id, {})
      const issued = await Promise.all([rotate(), rotate(), rotate()])
      const found = await Promise.all(issued.map((one) => store().keys.verify(one?.token ?? '')))
      expect(found.filter((one) => one !== undefined)).toHaveLength(1)
    })

    test('keys are listed in pages, oldest first, those of one agent on demand', async () => {
      const tenant = freshTenant()
      const ids: string[] = []
      for (let index = 0; index < 5; index++) {
        const agent = index % 2 === 0 ? undefined : 'support'
        const { key } = await store().keys.create({ tenant, name: `k${index}`, scopes: [], agent })
        ids.push(key.id)
      }
      await store().keys.create({ tenant: freshTenant(), name: 'other', scopes: [] })
      const read = async (query: { agent?: string; limit: number }) => {
        const pages: string[][] = []
        let after: string | undefined
        do {
          const page = await store().keys.list(tenant, { ...query, after })
          pages.push(page.items.map(({ name }) => name))
          after = page.next
        } while (after !== undefined)
        return pages
      }
      const made = (await store().keys.list(tenant, { limit: 10 })).items
      expect(made.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      const times = made.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted())
      expect((await read({ limit: 2 })).map(({ length }) => length)).toEqual([2, 2, 1])
      expect((await read({ limit: 2 })).flat()).toEqual(made.map(({ name }) => name))
      expect((await read({ agent: 'support', limit: 1 })).flat().toSorted()).toEqual(['k1', 'k3'])
      const row = JSON.stringify(made)
      expect(row).not.toContain('hash')
    })

    test('making, rotating and revoking a key are recorded with the principal, never with a secret', async () => {
      const tenant = freshTenant()
      const by = { kind: 'user', id: 'anna' } as const
      const { key, token } = await store().keys.create({ tenant, name: 'k', scopes: ['*'], by })
      const { id } = key
      const rotated = await store().keys.rotate(tenant, id, { overlapMs: 1000, by })
      await store().keys.revoke(tenant, id, by)
      expect(await store().keys.revoke(tenant, id, by)).toBe(false)
      const { items } = await store().events.read(tenant, { limit: 10 })
      expect(items.map(({ type, principal, data }) => [type, principal, data])).toEqual([
        ['key.created', by, { id, name: 'k', scopes: ['*'] }],
        ['key.rotated', by, { id, oldSecretUntil: rotated?.key.oldSecretUntil }],
        ['key.revoked', by, { id }],
      ])
      const text = JSON.stringify(items)
      for (const one of [token, rotated?.token ?? '']) {
        expect(text).not.toContain(parseApiKey(one)?.secret)
      }
    })

    test('a visitor keeps one key over all their tokens, with the rights of the newest', async () => {
      const tenant = freshTenant()
      const { key: site, token } = await store().keys.create({ tenant, name: 's', scopes: ['*'] })
      const issue = (visitor: string, scopes: string[], inMs = 60_000) => {
        const untilMs = Date.now() + inMs
        return store().keys.issueToken({ tenant, parent: site.id, visitor, scopes, untilMs })
      }
      const first = await issue('anna', ['tools.call'])
      const others = await Promise.all([issue('ben', ['a']), issue('ben', ['a'])])
      expect(new Set(others.map(({ key }) => key.id)).size).toBe(1)
      const second = await issue('anna', ['agents.chat'])
      expect(second.key.id).toBe(first.key.id)
      expect(parseApiKey(first.token)?.id).toBe(first.key.id)
      for (const one of [first, second]) {
        expect(await store().keys.verify(one.token)).toMatchObject({
          id: first.key.id,
          scopes: ['agents.chat'],
          parent: site.id,
          visitor: 'anna',
        })
      }
      const ids = async (parent?: string) =>
        (await store().keys.list(tenant, { parent, limit: 10 })).items.map(({ name }) => name)
      expect(await ids()).toEqual(['s'])
      expect((await ids(site.id)).toSorted()).toEqual(['anna', 'ben'])
      const works = async (given: string) => (await store().keys.verify(given)) !== undefined
      const over = await issue('anna', ['agents.chat'], -1000)
      expect(await works(over.token)).toBe(false)
      expect((await store().keys.inspect(over.token))?.state).toBe('expired')
      await store().keys.revoke(tenant, first.key.id)
      expect([await works(second.token), await works(token)]).toEqual([false, true])
      await expect(issue('anna', ['agents.chat'])).rejects.toMatchObject({ code: 'forbidden' })
      const third = await issue('ben', ['a'])
      await store().keys.revoke(tenant, site.id)
      expect(await works(third.token)).toBe(false)
      await expect(issue('ben', ['a'])).rejects.toMatchObject({ code: 'unauthorized' })
    })

    test('keys of visitors who left nothing behind go with old data, others stay', async () => {
      const tenant = freshTenant()
      const { keys, calls, conversations } = store()
      const { key: site } = await keys.create({ tenant, name: 's', scopes: ['*'] })
      const issue = (visitor: string) =>
        keys.issueToken({ tenant, parent: site.id, visitor, scopes: ['a'], untilMs: 1e13 })
      const names = ['gone', 'talks', 'waits', 'blocked', 'back'] as const
      const ids = new Map<string, string>()
      for (const name of names) ids.set(name, (await issue(name)).key.id)
      const principalOf = (name: string) => ({ kind: 'key' as const, id: ids.get(name) ?? '' })
      const of = { tenant, agent: 'helper', principal: principalOf('talks') }
      await conversations.open({ id: createId('conv'), ...of, kind: 'chat' })
      await calls.open(startOf(tenant, { status: 'waiting', principal: principalOf('waits') }))
      await keys.revoke(tenant, ids.get('blocked') ?? '')
      const day = 86_400_000
      await db()
        .updateTable('api_keys')
        .set({ created_ms: 1, last_used_ms: 1 })
        .where('tenant', '=', tenant)
        .execute()
      await issue('back')
      const left = async () => {
        await store().removeOld(tenant, store().now() - day, 100)
        const { items } = await keys.list(tenant, { parent: site.id, limit: 10 })
        return items.map(({ name }) => name).toSorted()
      }
      expect(await left()).toEqual(['back', 'blocked', 'talks', 'waits'])
      expect(await keys.find(tenant, site.id)).toBeDefined()
      await keys.revoke(tenant, site.id)
      await db()
        .updateTable('api_keys')
        .set({ revoked_ms: 1 })
        .where('tenant', '=', tenant)
        .execute()
      expect(await left()).toEqual(['back', 'talks', 'waits'])
    })

    test('another secret for a key ends what was issued with the old one', async () => {
      const tenant = freshTenant()
      const { key } = await store().keys.create({ tenant, name: 's', scopes: ['*'] })
      const request = { tenant, parent: key.id, visitor: 'anna', scopes: ['a'] }
      const issue = () => store().keys.issueToken({ ...request, untilMs: Date.now() + 60_000 })
      const works = async (given: string) => (await store().keys.verify(given)) !== undefined
      const { token } = await issue()
      await store().keys.rotate(tenant, key.id, { overlapMs: 60_000 })
      expect(await works(token)).toBe(true)
      await store().keys.rotate(tenant, key.id, {})
      expect([await works(token), await works((await issue()).token)]).toEqual([false, true])
    })

    test('a token with a later end than was signed is not taken', async () => {
      const tenant = freshTenant()
      const { key: site } = await store().keys.create({ tenant, name: 's', scopes: ['*'] })
      const request = { tenant, parent: site.id, visitor: 'anna', scopes: ['a'] }
      const { token } = await store().keys.issueToken({ ...request, untilMs: Date.now() + 60_000 })
      const { id, secret } = parseApiKey(token)!
      const later = formatApiKey({ id, secret: `zzzzzz${secret.slice(6)}` })
      expect(await store().keys.verify(later)).toBeUndefined()
      expect(await store().keys.verify(token)).toBeDefined()
    })

    test('the last use of a key wakes nobody, its end does', async () => {
      const tenant = freshTenant()
      const { key, token } = await store().keys.create({ tenant, name: 'k', scopes: [] })
      const { mark } = await store().rules.changes()
      await store().keys.verify(token)
      await store().flush()
      expect((await store().rules.changes(mark)).tenants).not.toContain(tenant)
      await store().keys.revoke(tenant, key.id)
      expect((await store().rules.changes(mark)).tenants).toContain(tenant)
    })
  })
}
