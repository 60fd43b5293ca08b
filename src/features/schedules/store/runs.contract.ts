import type { OpenStores } from '../../open-stores.ts'
import { describe, expect, test } from 'vitest'
import { createId } from '../../../core/kernel/ids.ts'
import type { StoredRun, StoredSchedule } from '../model.ts'
import { freshTenant } from '../../../store/contract/records.ts'
import {
  schedulesOf,
  endOf,
  fireOf,
  minute,
  noon,
  runOf,
  scheduleOf,
  entryOf,
} from './testing/records.ts'

/** The life of a schedule's runs. */
export function describeScheduleRuns(store: () => OpenStores): void {
  const create = async (more: Partial<StoredSchedule> = {}) => {
    const schedule = scheduleOf(freshTenant(), more)
    await schedulesOf(store()).create(schedule, entryOf('schedule.created'), 100)
    return schedule
  }
  const read = async ({ tenant, id }: StoredSchedule) => {
    const found = await schedulesOf(store()).find(tenant, id)
    if (found === undefined) throw new Error(`${id} is gone`)
    return found
  }
  const fire = async (schedule: StoredSchedule) => {
    const [run] = await schedulesOf(store()).claim([fireOf(await read(schedule))])
    if (run === undefined) throw new Error('the fire was lost')
    return run
  }
  const history = async ({ tenant, id }: StoredSchedule) =>
    (await schedulesOf(store()).listRuns(tenant, id, { limit: 100 })).items
  const claimOwn = async (tenant: string, nowMs: number) => {
    const runs = await schedulesOf(store()).claimRuns(nowMs, { limit: 1000, leaseMs: minute })
    return runs.filter((run) => run.tenant === tenant)
  }

  describe('runs of schedules', () => {
    test('a fire is skipped while the last run is unfinished, unless runs may overlap', async () => {
      const careful = await create()
      const first = await fire(careful)
      const second = await fire(careful)
      expect([first.status, second.status]).toEqual(['running', 'skipped'])
      const { request: _request, lookMs: _look, ...skipped } = second
      expect(second).toEqual({ ...skipped, finishedMs: second.firedMs })
      await schedulesOf(store()).finishRun(first, endOf('completed'))
      expect((await fire(careful)).status).toBe('running')
      const { items } = await store().events.read(careful.tenant, { limit: 10 })
      const { data } = fireOf(careful).told.event
      expect(items.slice(1).map((event) => event.data)).toEqual([
        data,
        { ...data, skipped: true },
        data,
      ])
      const eager = await create({ overlap: 'allow' })
      expect([(await fire(eager)).status, (await fire(eager)).status]).toEqual([
        'running',
        'running',
      ])
    })

    test('a run that is due for a check goes to one node until its lease expires', async () => {
      const schedule = await create()
      const run = await fire(schedule)
      const early = await claimOwn(run.tenant, (run.lookMs ?? 0) - 1)
      expect(early).toEqual([])
      const [one, two] = await Promise.all([
        claimOwn(run.tenant, run.lookMs ?? 0),
        claimOwn(run.tenant, run.lookMs ?? 0),
      ])
      const lookMs = (run.lookMs ?? 0) + minute
      expect([...one, ...two]).toEqual([{ ...run, lookMs }])
      expect(await claimOwn(run.tenant, lookMs - 1)).toEqual([])
      expect(await claimOwn(run.tenant, lookMs)).toHaveLength(1)
    })

    test('a run continues while it is open and in the same attempt; a node presumed dead changes nothing', async () => {
      const schedule = await create()
      const run = await fire(schedule)
      const schedules = schedulesOf(store())
      const callId = createId('call')
      const made = { attempt: 1, callId, tries: [], lookMs: noon + minute }
      expect(await schedules.progressRun(run, made)).toBe(true)
      expect(await history(schedule)).toEqual([{ ...run, ...made }])
      const error = { code: 'timeout', message: 'Too late', retryable: true } as const
      const again = { attempt: 2, tries: [{ callId, error }], lookMs: noon + 2 * minute }
      expect(await schedules.progressRun(run, again)).toBe(true)
      expect(await history(schedule)).toEqual([{ ...run, ...again }])
      expect(await schedules.progressRun(run, made)).toBe(false)
      expect(await schedules.finishRun(run, endOf('failed'))).toEqual({
        isFinished: false,
        isDisabled: false,
      })
      const foreign: StoredRun = { ...run, attempt: 2, tenant: freshTenant() }
      expect(await schedules.progressRun(foreign, made)).toBe(false)
      expect((await schedules.finishRun(foreign, endOf('failed'))).isFinished).toBe(false)
    })

    test('a run ends once, and the last failure of many in a row switches the schedule off', async () => {
      const schedule = await create({ failures: 3 })
      const schedules = schedulesOf(store())
      const first = await fire(schedule)
      const ends = await Promise.all(
        [1, 2, 3].map(() => schedules.finishRun(first, endOf('failed'))),
      )
      expect(ends.filter(({ isFinished }) => isFinished)).toHaveLength(1)
      expect(await read(schedule)).toMatchObject({ failures: 4, state: 'active' })
      const end = await schedules.finishRun(await fire(schedule), endOf('failed'))
      expect(end).toEqual({ isFinished: true, isDisabled: true })
      const { nextMs, ...off } = await read(schedule)
      expect(nextMs).toBeUndefined()
      expect(off).toMatchObject({ failures: 5, state: 'disabled', reason: 'Five in a row' })
      const { items } = await store().events.read(schedule.tenant, { limit: 10 })
      expect(items.map(({ type }) => type)).toEqual([
        'schedule.created',
        'schedule.fired',
        'schedule.fired',
        'schedule.disabled',
      ])
      const [last] = await history(schedule)
      expect(last).toMatchObject({ status: 'failed', tries: [{}], finishedMs: noon + minute })
      expect(last).not.toHaveProperty('request')
      expect(last).not.toHaveProperty('lookMs')
    })

    test('a success resets the count, and a manual run does not count', async () => {
      const schedule = await create({ failures: 4 })
      const schedules = schedulesOf(store())
      const manual = runOf(schedule, { isManual: true, dueMs: noon })
      expect(await schedules.addRun(manual, entryOf('schedule.fired'))).toBe(true)
      await schedules.finishRun(manual, endOf('failed'))
      expect(await read(schedule)).toMatchObject({ failures: 4, state: 'active' })
      await schedules.finishRun(await fire(schedule), endOf('completed'))
      expect(await read(schedule)).toMatchObject({ failures: 0, state: 'active' })
    })

    test('history is paged newest first, and what is old is forgotten, but nothing that is open', async () => {
      const schedule = await create({ overlap: 'allow' })
      const schedules = schedulesOf(store())
      const runs: StoredRun[] = []
      for (let count = 0; count < 6; count += 1) runs.unshift(await fire(schedule))
      for (const run of runs.slice(0, 5)) await schedules.finishRun(run, endOf('completed'))
      const ids = runs.map(({ id }) => id)
      const page = await schedules.listRuns(schedule.tenant, schedule.id, { limit: 4 })
      expect(page.items.map(({ id }) => id)).toEqual(ids.slice(0, 4))
      const rest = await schedules.listRuns(schedule.tenant, schedule.id, {
        limit: 4,
        after: page.next,
      })
      expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(4))
      expect(rest.next).toBeUndefined()
      const foreign = await schedules.listRuns(freshTenant(), schedule.id, { limit: 4 })
      expect(foreign).toEqual({ items: [] })
      await schedules.trimRuns(schedule.tenant, schedule.id, 3)
      expect((await history(schedule)).map(({ id }) => id)).toEqual([...ids.slice(0, 3), ids[5]])
    })
  })
}
