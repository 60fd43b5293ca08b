import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Stores } from '../../stores.ts'
import { toUsageDay } from '../../../core/usage/usage.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import type { Tables } from '../../../store/tables.ts'
import { checkAll, sealEvents } from './testing/audit-records.ts'
import { eventOf, freshTenant, settlementOf, startOf } from '../../../store/contract/records.ts'

/** A chain over the feed: what it covers, who makes it, and what retention leaves of it. */
export function describeAuditChain(
  store: () => Stores,
  {
    openOther,
    db,
  }: { openOther: (changes?: Partial<Engine>) => Promise<Stores>; db: () => Kysely<Tables> },
): void {
  const settleCalls = async (tenant: string, count: number) => {
    const starts = Array.from({ length: count }, () => startOf(tenant))
    await Promise.all(starts.map((start) => store().calls.recordWhole(start, settlementOf(start))))
    return starts
  }
  const callsOf = async (tenant: string) => {
    const day = toUsageDay(Date.parse('2026-01-02'))
    return (await store().usage.total(tenant, day, { kind: 'tenant', id: '' })).calls
  }

  describe('the chain over events', () => {
    test('events are sealed once and in order, and new ones are recognized', async () => {
      const { tenant, ids } = await sealEvents(store(), { count: 5, perSegment: 2 })
      expect(await store().audit.seal(tenant)).toBe(0)
      expect(await checkAll(store(), tenant)).toEqual({
        segments: 3,
        events: 5,
        problems: [],
        unsealed: 0,
      })
      expect(ids).toHaveLength(5)
      await store().calls.open(startOf(tenant))
      expect(await checkAll(store(), tenant)).toMatchObject({ events: 5, unsealed: 1 })
      expect(await store().audit.seal(tenant)).toBe(2)
      expect(await checkAll(store(), tenant)).toMatchObject({ events: 7, unsealed: 0 })
      expect(await checkAll(store(), freshTenant())).toMatchObject({ segments: 0, problems: [] })
    })

    test('the walker finds everything that was written, also by nodes that have left', async () => {
      const tenants = Array.from({ length: 3 }, freshTenant)
      const other = await openOther()
      for (const tenant of tenants) await other.calls.open(startOf(tenant))
      await other.close()
      const isSealed = async () => {
        const checks = await Promise.all(tenants.map((tenant) => checkAll(store(), tenant)))
        return checks.every(({ events }) => events === 2)
      }
      // Other tests leave tenants, too: the walker comes by all of them in turn.
      for (let round = 0; round < 200 && !(await isSealed()); round += 1) {
        await store().audit.sweep()
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      expect(await isSealed()).toBe(true)
    })

    test('two walkers at once seal and count everything once', async () => {
      const tenant = freshTenant()
      const other = await openOther()
      for (let round = 0; round < 4; round += 1) {
        await settleCalls(tenant, 30)
        await Promise.all([
          store().audit.seal(tenant),
          other.audit.seal(tenant),
          settleCalls(tenant, 5),
          store().audit.seal(tenant),
          other.audit.seal(tenant),
        ])
      }
      await store().audit.seal(tenant)
      expect(await callsOf(tenant)).toBe(140)
      expect(await checkAll(store(), tenant)).toMatchObject({
        events: 140 * 3,
        problems: [],
        unsealed: 0,
      })
    })

    test('a walker that dies between reading and writing leaves nothing half done', async () => {
      const tenant = freshTenant()
      await settleCalls(tenant, 10)
      const dead = await openOther({ db: dyingAt(db(), 'insertInto') })
      await expect(dead.audit.seal(tenant)).rejects.toThrow('killed')
      expect(await callsOf(tenant)).toBe(0)
      expect(await checkAll(store(), tenant)).toMatchObject({ segments: 0, problems: [] })
      await store().audit.seal(tenant)
      expect(await callsOf(tenant)).toBe(10)
      expect(await checkAll(store(), tenant)).toMatchObject({ events: 30, problems: [] })
    })

    test('rows removed by retention are accounted for, and the rest can still be checked', async () => {
      const tenant = freshTenant()
      const oldId = (number: number) => `call_${`0190${number}`.padEnd(32, '0')}`
      const old = [1, 2, 3].map((number) => startOf(tenant, { callId: oldId(number) }))
      const waiting = startOf(tenant, { callId: oldId(4), status: 'waiting' })
      for (const start of [...old, waiting]) await store().calls.open(start)
      for (const start of old) await store().calls.settle(settlementOf(start))
      await store().audit.seal(tenant)
      await settleCalls(tenant, 2)
      await store().audit.seal(tenant)
      const before = Date.now() - 60_000
      expect(await store().removeOld(tenant, before, 2)).toBe(2)
      expect(await checkAll(store(), tenant)).toEqual({
        segments: 2,
        events: 17,
        problems: [],
        unsealed: 0,
        removed: { records: 4, until: '2026-01-02T03:04:05.678Z' },
      })
      expect(await store().removeOld(tenant, before, 2)).toBe(1)
      await store().calls.settle(settlementOf(waiting))
      await store().audit.seal(tenant)
      expect(await store().removeOld(tenant, before, 2)).toBe(1)
      const done = await checkAll(store(), tenant)
      expect(done).toMatchObject({ segments: 3, events: 18, problems: [] })
      const marks = await db()
        .selectFrom('audit_segments')
        .select(['number', 'marks', 'removed_rows', 'rows'])
        .where('tenant', '=', tenant)
        .orderBy('number')
        .execute()
      expect(marks.map((one) => [one.marks === null, one.removed_rows])).toEqual([
        [true, 7],
        [false, 0],
        [true, 1],
      ])
    })

    test('rows of other writers are read back, in parts if they are large', async () => {
      const tenant = freshTenant()
      const principal = { kind: 'user', id: 'anna' } as const
      const events = [eventOf('secret.written', { name: 'x'.repeat(900_000) })]
      for (let round = 0; round < 4; round += 1) {
        await store().events.record([{ tenant, principal, events }])
      }
      expect(await (await openOther()).audit.seal(tenant)).toBe(4)
      const check = await checkAll(store(), tenant)
      expect(check).toMatchObject({ events: 4, problems: [] })
      expect(check.segments).toBeGreaterThan(1)
    })
  })
}

/** A database whose transactions die when they begin to insert. */
function dyingAt(db: Kysely<Tables>, method: 'insertInto'): Kysely<Tables> {
  const dying = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, name) {
        if (name === method)
          return () => {
            throw new Error('killed')
          }
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') {
        return () => ({
          execute: (work: (transaction: never) => Promise<unknown>) =>
            target.transaction().execute((transaction) => work(dying(transaction) as never)),
        })
      }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
