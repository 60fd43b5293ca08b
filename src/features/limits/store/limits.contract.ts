import { describe, expect, test } from 'vitest'
import type { LimitCount } from '../../../core/limits/limit-store.ts'
import { sliceMs } from '../../../core/limits/window.ts'
import type { Stores } from '../../stores.ts'
import { eventOf, freshTenant } from '../../../store/contract/records.ts'

const countOf = (more: Partial<LimitCount> = {}): LimitCount => ({
  tenant: freshTenant(),
  limit: 'busy',
  subject: 'agent:support',
  ...more,
})

const told = {
  principal: { kind: 'system', id: 'limits' },
  event: eventOf('limit.reached', { limit: 'busy' }),
} as const

/** Counts of limits, as one node sees them. */
export function describeLimits(store: () => Stores): void {
  describe('limits', () => {
    test('permits are granted up to the limit, and never one more', async () => {
      const { limits } = store()
      const of = countOf()
      const grants = await Promise.all(
        Array.from({ length: 12 }, () => limits.takePermits(of, { most: 10, wanted: 3 })),
      )
      expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(10)
      const refused = await limits.takePermits(of, { most: 10, wanted: 1 })
      expect(refused.granted).toBe(0)
      expect(refused.retryAfterMs).toBeGreaterThan(50_000)
      expect(refused.retryAfterMs).toBeLessThanOrEqual(65_000)
      expect(refused.validMs).toBeGreaterThan(0)
      expect(refused.validMs).toBeLessThanOrEqual(sliceMs)
    })

    test('a limit of none grants nothing and knows no time to come back', async () => {
      const grant = await store().limits.takePermits(countOf(), { most: 0, wanted: 5 })
      expect([grant.granted, grant.retryAfterMs]).toEqual([0, undefined])
    })

    test('unused capacity is returned to the slice it came from, at most once', async () => {
      const { limits } = store()
      const of = countOf()
      const { slot } = await limits.takePermits(of, { most: 4, wanted: 4 })
      await limits.givePermitsBack([
        { ...of, slot, count: 2 },
        { ...of, slot: slot - 40, count: 9 },
        { ...of, slot: slot + 40, count: 9 },
        { ...countOf(), slot, count: 9 },
      ])
      expect((await limits.takePermits(of, { most: 4, wanted: 9 })).granted).toBe(2)
      await limits.givePermitsBack([{ ...of, slot, count: 99 }])
      expect((await limits.findUse(of)).calls).toBe(0)
    })

    test('a limit that was lowered waits until enough has passed', async () => {
      const { limits } = store()
      const of = countOf()
      await limits.takePermits(of, { most: 100, wanted: 50 })
      const lower = await limits.takePermits(of, { most: 10, wanted: 1 })
      expect(lower.granted).toBe(0)
      expect(lower.retryAfterMs).toBeGreaterThan(50_000)
    })

    test('counts are apart by tenant, limit and subject, whatever a subject is called', async () => {
      const { limits } = store()
      const tenant = freshTenant()
      const subjects = [
        'key:a',
        'key:a\nb',
        "key:'; drop table calls; --",
        'key:é\ud800',
        'key:',
        '%',
      ]
      const all = [
        ...subjects.map((subject) => countOf({ tenant, subject })),
        countOf({ tenant, limit: 'other', subject: 'key:a' }),
        countOf({ subject: 'key:a' }),
        countOf({ tenant, subject: `key:${'x'.repeat(2000)}` }),
        countOf({ tenant, subject: 'key:nul\0' }),
      ]
      for (const of of all) {
        expect((await limits.takePermits(of, { most: 1, wanted: 1 })).granted).toBe(1)
        expect(await limits.holdPlaces(of, { most: 1, wanted: 1, inUse: 0 })).toBe(1)
      }
      for (const of of all) {
        expect((await limits.takePermits(of, { most: 1, wanted: 1 })).granted).toBe(0)
      }
    })

    test('places are held up to the limit, and never fewer than are in use', async () => {
      const { limits } = store()
      const of = countOf()
      expect(await limits.holdPlaces(of, { most: 3, wanted: 5, inUse: 0 })).toBe(3)
      expect(await limits.holdPlaces(of, { most: 2, wanted: 3, inUse: 3 })).toBe(3)
      expect(await limits.holdPlaces(of, { most: 3, wanted: 1, inUse: 1 })).toBe(1)
      expect((await limits.findUse(of)).concurrent).toBe(1)
      expect(await limits.holdPlaces(of, { most: 3, wanted: 0, inUse: 0 })).toBe(0)
      expect(await limits.holdPlaces(of, { most: 0, wanted: 1, inUse: 0 })).toBe(0)
      expect(await limits.findUse(of)).toEqual({ subject: of.subject, calls: 0, concurrent: 0 })
    })

    test('use is listed with the most first, page by page, of the own tenant', async () => {
      const { limits } = store()
      const tenant = freshTenant()
      for (const [subject, calls] of [
        ['agent:a', 2],
        ['agent:b', 5],
        ['agent:c', 2],
      ] as const) {
        await limits.takePermits(countOf({ tenant, subject }), { most: 10, wanted: calls })
      }
      await limits.holdPlaces(countOf({ tenant, subject: 'agent:d' }), {
        most: 9,
        wanted: 4,
        inUse: 4,
      })
      await limits.takePermits(countOf(), { most: 10, wanted: 9 })
      const of = { tenant, limit: 'busy' }
      expect(await limits.listUse(of, { after: 0, limit: 3 })).toEqual({
        items: [
          { subject: 'agent:b', calls: 5, concurrent: 0 },
          { subject: 'agent:a', calls: 2, concurrent: 0 },
          { subject: 'agent:c', calls: 2, concurrent: 0 },
        ],
        next: '3',
      })
      expect(await limits.listUse(of, { after: 3, limit: 3 })).toEqual({
        items: [{ subject: 'agent:d', calls: 0, concurrent: 4 }],
      })
    })

    test('of many reporters of a reached limit one succeeds, in each period', async () => {
      const { limits, events } = store()
      const of = { ...countOf(), measure: 'costPerDay' }
      const tries = await Promise.all(
        Array.from({ length: 8 }, () => limits.tellOnce(of, 'month', told)),
      )
      expect(tries.filter(Boolean)).toHaveLength(1)
      const other = { ...of, measure: 'costPerMonth' }
      expect(await limits.tellOnce(other, 'month', told)).toBe(true)
      const { items } = await events.read(of.tenant, { limit: 10 })
      expect(items.map(({ type, data }) => [type, data])).toEqual([
        ['limit.reached', { limit: 'busy' }],
        ['limit.reached', { limit: 'busy' }],
      ])
    })

    test('counts that still matter are kept', async () => {
      const { limits } = store()
      const of = countOf()
      await limits.takePermits(of, { most: 1, wanted: 1 })
      await limits.forgetIdle()
      expect((await limits.takePermits(of, { most: 1, wanted: 1 })).granted).toBe(0)
    })
  })
}
