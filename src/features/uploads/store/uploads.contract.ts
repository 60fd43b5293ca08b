import type { OpenStores } from '../../open-stores.ts'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createId } from '../../../core/kernel/ids.ts'
import type { Tables } from '../../../store/tables.ts'
import { freshTenant, settlementOf, startOf } from '../../../store/contract/records.ts'
import { schedulesOf, scheduleOf, entryOf } from '../../schedules/store/testing/records.ts'

const principal = { kind: 'user', id: 'mem_ann' } as const
const keepMs = 60_000

async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/**
 * The contract of every store for uploaded files. `db` is given where there is a database below.
 */
export function describeUploads(store: () => OpenStores, db?: () => Kysely<Tables>): void {
  const put = (tenant: string, bytes: Uint8Array, keptMs = keepMs) =>
    store().uploads.put(
      { tenant, principal, name: 'a é.csv', mediaType: 'text/csv', keepMs: keptMs },
      inParts(bytes, 100_003),
    )
  const eventsOf = async (tenant: string) => {
    const { items } = await store().events.read(tenant, { limit: 100 })
    return items.map(({ type, data, principal: by }) => ({ type, data, by }))
  }

  describe('uploads', () => {
    test('lists are in pages, newest first, of one tenant and of some principals', async () => {
      const { uploads } = store()
      const tenant = freshTenant()
      const made = [await put(tenant, new Uint8Array(1)), await put(tenant, new Uint8Array(2))]
      const newest = made.toReversed()
      expect(await uploads.list(tenant, { limit: 9 })).toEqual({ items: newest })
      const first = await uploads.list(tenant, { limit: 1 })
      expect(first).toEqual({ items: newest.slice(0, 1), next: newest[0]?.id })
      const rest = await uploads.list(tenant, { limit: 1, after: first.next })
      expect(rest).toEqual({ items: newest.slice(1) })
      const eve = { kind: 'user', id: 'mem_eve' } as const
      expect(await uploads.list(tenant, { limit: 9, principals: [eve] })).toEqual({ items: [] })
      const both = { limit: 9, principals: [eve, principal] }
      expect((await uploads.list(tenant, both)).items).toHaveLength(2)
      expect(await uploads.list(freshTenant(), { limit: 9 })).toEqual({ items: [] })
    })

    test('a file is there once all of it has come, and is read back in any part', async () => {
      const tenant = freshTenant()
      const bytes = new Uint8Array(randomBytes(700_001))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const made = await put(tenant, bytes)
      const facts = { name: 'a é.csv', mediaType: 'text/csv', bytes: 700_001, sha256 }
      expect(made).toEqual({
        id: expect.stringMatching(/^upl_[0-9a-f]{32}$/),
        uri: `crib://uploads/${made.id}`,
        ...facts,
        principal,
        createdAt: expect.any(String),
        keptUntil: new Date(Date.parse(made.createdAt) + keepMs).toISOString(),
      })
      expect(await store().uploads.find(tenant, made.id)).toEqual(made)
      for (const [offset, limit] of [
        [0, 10],
        [262_140, 10],
        [699_999, 100],
        [0, 700_001],
        [700_001, 5],
      ] as const) {
        const page = await store().uploads.read(tenant, made.id, { offset, limit })
        expect(Buffer.from(page ?? []).equals(bytes.subarray(offset, offset + limit))).toBe(true)
      }
      expect(await eventsOf(tenant)).toEqual([
        { type: 'upload.stored', data: { upload: made.id, ...facts }, by: principal },
      ])
      expect(await store().uploads.countBytes(tenant)).toBe(700_001)
    })

    test('nobody of another tenant finds, reads, uses or removes it', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const { id } = await put(tenant, new Uint8Array([1, 2, 3]))
      const { uploads } = store()
      expect(await uploads.find(other, id)).toBeUndefined()
      expect(await uploads.read(other, id, { offset: 0, limit: 3 })).toBeUndefined()
      expect(await uploads.use(other, createId('call'), [id])).toEqual([])
      expect(await uploads.remove(other, id, principal)).toBe(false)
      expect(await uploads.countBytes(other)).toBe(0)
      expect(await uploads.find(tenant, 'upl_nonsense')).toBeUndefined()
      expect(await uploads.find(tenant, id)).toBeDefined()
    })

    test('an upload that breaks off in the middle leaves nothing behind', async () => {
      const tenant = freshTenant()
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(600_000)
        throw new Error('The line went dead')
      }
      const start = { tenant, principal, name: 'x', mediaType: 'a/b', keepMs }
      await expect(store().uploads.put(start, broken())).rejects.toThrow('line went dead')
      expect(await store().uploads.countBytes(tenant)).toBe(0)
      expect(await eventsOf(tenant)).toEqual([])
      if (db === undefined) return
      const { rows } = await sql`select id from artifacts where tenant = ${tenant}`.execute(db())
      expect(rows).toEqual([])
    })

    test('a removed upload is deleted with its bytes, and that is recorded', async () => {
      const tenant = freshTenant()
      const { id } = await put(tenant, new Uint8Array([1]))
      expect(await store().uploads.remove(tenant, id, principal)).toBe(true)
      expect(await store().uploads.remove(tenant, id, principal)).toBe(false)
      expect(await store().uploads.read(tenant, id, { offset: 0, limit: 1 })).toBeUndefined()
      expect((await eventsOf(tenant)).at(-1)).toEqual({
        type: 'upload.deleted',
        data: { upload: id },
        by: principal,
      })
    })

    test('the sweep removes what no call uses, and keeps the rest as long as its call', async () => {
      const tenant = freshTenant()
      const [used, unused, young] = [
        await put(tenant, new Uint8Array([1]), -1000),
        await put(tenant, new Uint8Array([2]), -1000),
        await put(tenant, new Uint8Array([3])),
      ]
      const start = startOf(tenant, {})
      await store().calls.open(start)
      await store().calls.settle(settlementOf(start))
      expect(await store().uploads.use(tenant, start.callId, [used.id, 'upl_x'])).toEqual([used.id])
      expect(await store().uploads.use(tenant, start.callId, [used.id])).toEqual([used.id])
      while ((await store().uploads.sweep({ keepMs, limit: 100 })) > 0);
      const found = await Promise.all(
        [used, unused, young].map(async ({ id }) => store().uploads.find(tenant, id)),
      )
      expect(found.map((one) => one?.id)).toEqual([used.id, undefined, young.id])
      expect(Date.parse(found[0]?.keptUntil ?? '')).toBeGreaterThan(Date.now())
    })

    test('a file that only a schedule names is kept until the schedule has ended, and its end is recorded', async () => {
      const tenant = freshTenant()
      const { id, uri } = await put(tenant, new Uint8Array([1]), -1000)
      const schedule = scheduleOf(tenant, { input: { table: uri } })
      await schedulesOf(store()).create(schedule, entryOf('schedule.created'), 100)
      // Kept, and due again at once.
      await store().uploads.sweep({ keepMs: -1000, limit: 1000 })
      expect((await store().uploads.find(tenant, id))?.id).toBe(id)
      await schedulesOf(store()).delete(tenant, schedule.id, entryOf('schedule.deleted'))
      while ((await store().uploads.sweep({ keepMs, limit: 100 })) > 0);
      expect(await store().uploads.find(tenant, id)).toBeUndefined()
      expect((await eventsOf(tenant)).at(-1)).toEqual({
        type: 'upload.deleted',
        data: { upload: id, because: 'unused' },
        by: { kind: 'system', id: 'sweep' },
      })
    })

    test('a use of a call that never came counts for a while, and no longer', async () => {
      if (db === undefined) return
      const tenant = freshTenant()
      const { id } = await put(tenant, new Uint8Array([1]), -1000)
      await store().uploads.use(tenant, createId('call'), [id])
      const again = () => sql`update uploads set look_ms = 0 where tenant = ${tenant}`.execute(db())
      await store().uploads.sweep({ keepMs, limit: 100 })
      expect(await store().uploads.find(tenant, id)).toBeDefined()
      await sql`update upload_uses set used_ms = used_ms - 7200000`.execute(db())
      await again()
      while ((await store().uploads.sweep({ keepMs, limit: 100 })) > 0);
      expect(await store().uploads.find(tenant, id)).toBeUndefined()
    })
  })
}
