import { describe, expect, test } from 'vitest'
import type { Kysely } from 'kysely'
import type { Stores } from '../../stores.ts'
import type { Tables } from '../../../store/tables.ts'
import { freshTenant } from '../../../store/contract/records.ts'

/** The contract of every store for secrets. `db` reads what is really stored. */
export function describeVault(store: () => Stores, db: () => Kysely<Tables>): void {
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

    test('the list shows which secrets are set and counts versions, never a value', async () => {
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

    test('an agent’s row does not open as another agent’s, nor as the tenant’s', async () => {
      const tenant = freshTenant()
      const write = (agent: string) =>
        store().secrets.write({ tenant, agent }, 'key', `value of ${agent}`)
      const rowOf = (agent: string) =>
        db()
          .selectFrom('secrets')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('agent', '=', agent)
          .executeTakeFirstOrThrow()
      await Promise.all([write('one'), write('two')])
      const [one, two] = [await rowOf('one'), await rowOf('two')]
      const change = (id: string, columns: object) =>
        db().updateTable('secrets').set(columns).where('id', '=', id).execute()
      const read = async (agent?: string) => {
        const values = await store()
          .secrets.read({ tenant, agent }, ['key'])
          .catch((error: { code: string }) => error.code)
        return typeof values === 'string' ? values : values.get('key')
      }
      await change(one.id, { wrapped_key: two.wrapped_key, sealed: two.sealed })
      await change(two.id, { wrapped_key: one.wrapped_key, sealed: one.sealed })
      expect([await read('one'), await read('two')]).toEqual(['secret_missing', 'secret_missing'])
      await change(one.id, { agent: '', wrapped_key: one.wrapped_key, sealed: one.sealed })
      expect(await read('three')).toBe('secret_missing')
      await change(one.id, { agent: 'three' })
      expect(await read('three')).toBe('secret_missing')
      await change(one.id, { agent: 'one' })
      expect([await read('one'), await read()]).toEqual(['value of one', undefined])
    })

    test('a secret stored without a value is listed as empty', async () => {
      const tenant = freshTenant()
      await store().secrets.write({ tenant }, 'full', 'x')
      await store().secrets.write({ tenant }, 'hollow', 'x')
      // Format, IV and tag, and nothing after them.
      await db()
        .updateTable('secrets')
        .set({ sealed: new Uint8Array(29) })
        .where('tenant', '=', tenant)
        .where('name', '=', 'hollow')
        .execute()
      const list = await store().secrets.list(tenant)
      expect(list.map(({ name, isEmpty }) => [name, isEmpty])).toEqual([
        ['full', undefined],
        ['hollow', true],
      ])
    })

    test('the author of a change to a secret is recorded with it, without the value', async () => {
      const tenant = freshTenant()
      const by = { kind: 'user', id: 'anna' } as const
      await store().secrets.write({ tenant, by }, 'key', 'sk_live_4242')
      await store().secrets.write({ tenant, by, agent: 'support' }, 'key', 'sk_live_4343')
      await store().secrets.delete({ tenant, by }, 'key')
      expect(await store().secrets.delete({ tenant, by }, 'key')).toBe(false)
      const { items } = await store().events.read(tenant, { limit: 10 })
      expect(items.map(({ type, principal, data }) => [type, principal, data])).toEqual([
        ['secret.written', by, { name: 'key', version: 1 }],
        ['secret.written', by, { name: 'key', agent: 'support', version: 1 }],
        ['secret.deleted', by, { name: 'key' }],
      ])
    })

    test('notes on a secret change without its value, and an expiry belongs to the value it was set with', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const by = { kind: 'user', id: 'anna' } as const
      const { secrets, events } = store()
      const noted = { description: 'For the shop \0', expiresAt: new Date('2030-01-02T03:04:05Z') }
      const written = await secrets.write({ tenant, by, notes: noted }, 'key', 'sk_live_4242')
      const said = { name: 'key', updatedAt: written.updatedAt, description: written.description }
      expect(written).toEqual({ ...said, version: 1, expiresAt: '2030-01-02T03:04:05.000Z' })
      expect(written.description).toMatch(/^For the shop /)
      await secrets.write({ tenant, agent: 'support' }, 'key', 'sk_live_4343')
      const change = { description: 'For اختبار', expiresAt: null }
      const changed = await secrets.note({ tenant, by }, 'key', change)
      expect(changed).toEqual({ ...said, version: 1, description: 'For اختبار' })
      expect(await secrets.note({ tenant, by }, 'key', {})).toEqual(changed)
      const until = { expiresAt: new Date('2031-01-01T00:00:00Z') }
      expect(await secrets.note({ tenant, by }, 'key', until)).toEqual({
        ...changed,
        expiresAt: '2031-01-01T00:00:00.000Z',
      })
      const [own, agents] = await secrets.list(tenant)
      expect([own?.expiresAt, agents?.description]).toEqual(['2031-01-01T00:00:00.000Z', undefined])
      const again = await secrets.write({ tenant, by }, 'key', 'sk_live_4444')
      expect(again).toEqual({ ...changed, version: 2, updatedAt: again.updatedAt })
      expect((await secrets.read({ tenant }, ['key'])).get('key')).toBe('sk_live_4444')
      expect(await secrets.note({ tenant: other, by }, 'key', change)).toBeUndefined()
      expect(await secrets.note({ tenant, agent: 'nobody', by }, 'key', change)).toBeUndefined()
      const { items } = await events.read(tenant, { limit: 10 })
      expect(items.map(({ type, data }) => [type, data])).toContainEqual([
        'secret.changed',
        { name: 'key', parts: ['description', 'expiresAt'] },
      ])
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
}
