import type { OpenStores } from '../../open-stores.ts'
import { describe, expect, test } from 'vitest'
import { freshTenant } from '../../../store/contract/records.ts'
import { schedulesOf, fireOf, minute, noon, runOf, scheduleOf, entryOf } from './testing/records.ts'

const most = 100

async function typesOf(store: OpenStores, tenant: string): Promise<string[]> {
  const { items } = await store.events.read(tenant, { limit: 100 })
  return items.map(({ type }) => type)
}

/** Schedules as people make, change and lose them, and as they come due. */
export function describeSchedules(store: () => OpenStores): void {
  const create = async (schedule = scheduleOf(freshTenant())) => {
    await schedulesOf(store()).create(schedule, entryOf('schedule.created'), most)
    return schedule
  }

  describe('schedules', () => {
    test('a schedule is found as it was made, in its own tenant alone', async () => {
      const schedules = schedulesOf(store())
      const tenant = freshTenant()
      const plain = await create(scheduleOf(tenant))
      const full = await create(
        scheduleOf(tenant, {
          note: 'For the board; ask Ada',
          agent: 'support',
          state: 'disabled',
          nextMs: undefined,
          lastDueMs: noon,
          reason: 'Why not',
          failures: 5,
          authority: { ...plain.authority, parents: ['lead'], runtime: 'mcp' },
          timing: { kind: 'cron', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
        }),
      )
      const { nextMs: _none, ...stored } = full
      expect(await schedules.find(tenant, plain.id)).toEqual(plain)
      expect(await schedules.find(tenant, full.id)).toEqual(stored)
      expect(await schedules.find(freshTenant(), plain.id)).toBeUndefined()
      for (const id of ['', 'sch_1', 'nonsense', `sch_${'0'.repeat(32)}`, plain.id.slice(4)])
        expect(await schedules.find(tenant, id)).toBeUndefined()
      expect(await typesOf(store(), tenant)).toEqual(['schedule.created', 'schedule.created'])
    })

    test('a list is paged oldest first, and may be one agent’s', async () => {
      const schedules = schedulesOf(store())
      const tenant = freshTenant()
      const made = []
      for (const agent of ['a', undefined, 'a', 'b'])
        made.push(await create(scheduleOf(tenant, agent === undefined ? {} : { agent })))
      const first = await schedules.list(tenant, { limit: 3 })
      expect(first).toEqual({ items: made.slice(0, 3), next: made[2]?.id })
      expect(await schedules.list(tenant, { limit: 3, after: first.next })).toEqual({
        items: made.slice(3),
      })
      expect(await schedules.list(tenant, { limit: 3, agent: 'a' })).toEqual({
        items: [made[0], made[2]],
      })
      expect(await schedules.list(tenant, { limit: 3, after: 'nonsense' })).toEqual({ items: [] })
      expect(await schedules.list(freshTenant(), { limit: 3 })).toEqual({ items: [] })
    })

    test('a tenant cannot exceed its maximum, even with concurrent creates', async () => {
      const tenant = freshTenant()
      const made = await Promise.all(
        Array.from({ length: 8 }, () =>
          schedulesOf(store()).create(scheduleOf(tenant), entryOf('schedule.created'), 3),
        ),
      )
      expect(made.filter(Boolean)).toHaveLength(3)
      expect((await schedulesOf(store()).list(tenant, { limit: 10 })).items).toHaveLength(3)
      expect(await typesOf(store(), tenant)).toHaveLength(3)
    })

    test('of two changes made from the same reading one holds, and a fire in between stops both', async () => {
      const schedules = schedulesOf(store())
      const seen = await create()
      const paused = { ...seen, state: 'paused' as const, nextMs: undefined, name: 'later' }
      const told = entryOf('schedule.changed')
      const changes = await Promise.all([
        schedules.replace(seen, paused, told),
        schedules.replace(seen, { ...seen, name: 'other' }, told),
      ])
      expect(changes.filter(Boolean)).toHaveLength(1)
      const now = await schedules.find(seen.tenant, seen.id)
      expect(now?.version).toBe(2)
      const fresh = await create(scheduleOf(seen.tenant))
      expect(await schedules.claim([fireOf(fresh)])).toHaveLength(1)
      expect(await schedules.replace(fresh, { ...fresh, name: 'late' }, told)).toBe(false)
      const foreign = { ...fresh, tenant: freshTenant() }
      expect(await schedules.replace(foreign, foreign, told)).toBe(false)
    })

    test('deleting a schedule deletes its runs, only in its own tenant', async () => {
      const schedules = schedulesOf(store())
      const seen = await create()
      await schedules.claim([fireOf(seen)])
      const told = entryOf('schedule.deleted')
      expect(await schedules.delete(freshTenant(), seen.id, told)).toBe(false)
      expect(await schedules.delete(seen.tenant, seen.id, told)).toBe(true)
      expect(await schedules.delete(seen.tenant, seen.id, told)).toBe(false)
      expect(await schedules.find(seen.tenant, seen.id)).toBeUndefined()
      expect(await schedules.listRuns(seen.tenant, seen.id, { limit: 5 })).toEqual({ items: [] })
      expect(await schedules.addRun(runOf(seen), entryOf('schedule.fired'))).toBe(false)
      expect((await typesOf(store(), seen.tenant)).at(-1)).toBe('schedule.deleted')
    })

    test('due schedules are listed, paused and later ones are not', async () => {
      const schedules = schedulesOf(store())
      const tenant = freshTenant()
      const early = { nextMs: noon - 86_400_000 }
      const due = await create(scheduleOf(tenant, early))
      await create(scheduleOf(tenant, { nextMs: undefined, state: 'paused' }))
      await create(scheduleOf(tenant, { nextMs: noon + minute }))
      const found = await schedules.listDue(noon - minute, 1000)
      expect(found.filter((one) => one.tenant === tenant)).toEqual([due])
      expect(await schedules.nextLookMs()).toBeLessThanOrEqual(noon - 86_400_000)
      await schedules.delete(tenant, due.id, entryOf('schedule.deleted'))
    })

    test('of many that try to claim one fire, one succeeds, and it is recorded once', async () => {
      const schedules = schedulesOf(store())
      const seen = await create()
      const rivals = Array.from({ length: 12 }, () => fireOf(seen))
      const won = await Promise.all(rivals.map((fire) => schedules.claim([fire])))
      const [run] = won.flat()
      expect(won.flat()).toHaveLength(1)
      expect(run).toEqual(rivals.find((fire) => fire.run.id === run?.id)?.run)
      expect(await schedules.find(seen.tenant, seen.id)).toEqual({
        ...seen,
        nextMs: noon + minute,
        lastDueMs: noon,
      })
      expect(await typesOf(store(), seen.tenant)).toEqual(['schedule.created', 'schedule.fired'])
    })

    test('several are claimed at once, each on its own merits', async () => {
      const schedules = schedulesOf(store())
      const [one, two, gone] = [await create(), await create(), await create()]
      await schedules.delete(gone.tenant, gone.id, entryOf('schedule.deleted'))
      const changed = { ...two, name: 'changed' }
      await schedules.replace(two, changed, entryOf('schedule.changed'))
      const runs = await schedules.claim([fireOf(one), fireOf(two), fireOf(gone)])
      expect(runs.map(({ scheduleId }) => scheduleId)).toEqual([one.id])
      const last = fireOf({ ...changed, version: 2 }, { nextMs: undefined })
      expect(await schedules.claim([last])).toHaveLength(1)
      expect((await schedules.find(two.tenant, two.id))?.state).toBe('finished')
    })

    test('a time that was used is not used again, whatever the clock shows', async () => {
      const schedules = schedulesOf(store())
      const seen = await create(scheduleOf(freshTenant(), { overlap: 'allow' }))
      expect(await schedules.claim([fireOf(seen, { nextMs: noon })])).toHaveLength(1)
      expect(await schedules.claim([fireOf({ ...seen, lastDueMs: noon })])).toEqual([])
      expect((await schedules.listRuns(seen.tenant, seen.id, { limit: 5 })).items).toHaveLength(1)
    })
  })
}
