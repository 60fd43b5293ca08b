import { expect, test } from 'vitest'
import type { CallRecord, CallResult } from '../../../core/kernel/call.ts'
import type { CallRequest } from '../../../core/kernel/call-request.ts'
import type { ErrorCode } from '../../../core/kernel/errors.ts'
import { toScheduleRun } from '../model.ts'
import type { StoredSchedule } from '../model.ts'
import { freshStore } from '../../../testing/fresh-store.fixture.ts'
import { minute, noon, scheduleOf, schedulesOf, entryOf } from '../store/testing/records.ts'
import { createTicker } from './create-ticker.ts'
import { leaseMs } from './ports.ts'

const tenant = 'default'

/** A schedule on a store in memory, a clock to set, and calls with results set by the test. */
async function createScene(more: Partial<StoredSchedule> = {}) {
  const store = await freshStore()
  const schedules = schedulesOf(store)
  const requests: CallRequest[] = []
  const made = new Map<string, CallResult>()
  const scene = {
    now: noon - 1,
    /** How calls end, or what happens instead of them. */
    ends: (_request: CallRequest): CallResult => ({ status: 'completed' }),
    warnings: [] as string[],
  }
  const schedule = scheduleOf(tenant, more)
  await schedules.create(schedule, entryOf('schedule.created'), 10)
  const createNode = () =>
    createTicker(
      {
        schedules,
        inputs: store.inputs,
        now: () => scene.now,
        random: () => 0.5,
        onWarning: (message) => scene.warnings.push(message),
        async call(request) {
          requests.push(request)
          const key = request.idempotencyKey ?? ''
          const callId = `call_${(made.size + 1).toString(16).padStart(32, '0')}`
          const result = made.get(key) ?? scene.ends(request)
          if (refusals.includes(result.error?.code)) return result
          const known = { callId, ...result }
          made.set(key, known)
          return known
        },
        findCall: async (_tenant, callId) =>
          [...made.values()].find((call) => call.callId === callId) as CallRecord | undefined,
      },
      { pollMs: 1000 },
    )
  const node = createNode()
  return Object.assign(scene, {
    schedule,
    schedules,
    store,
    requests,
    made,
    createNode,
    async at(ms: number) {
      scene.now = ms
      await node.tick()
    },
    history: async () =>
      (await schedules.listRuns(tenant, schedule.id, { limit: 100 })).items.map(toScheduleRun),
    read: () => schedules.find(tenant, schedule.id),
  })
}

/** Calls that are refused before they exist. */
const refusals: readonly (ErrorCode | undefined)[] = [
  'tool_not_found',
  'shutting_down',
  'tenant_suspended',
]

function failure(code: ErrorCode, retryable = false): CallResult {
  return { status: 'failed', error: { code, message: `It was ${code}`, retryable } }
}

const iso = (ms: number) => new Date(ms).toISOString()

test('a schedule calls its tool when its time comes, as itself, with what its author may do', async () => {
  const scene = await createScene({ agent: 'support' })
  await scene.at(noon - 1)
  expect(scene.requests).toEqual([])
  await scene.at(noon + 3)
  const [run] = await scene.history()
  expect(scene.requests).toEqual([
    {
      tool: 'calc.sum',
      input: scene.schedule.input,
      caller: {
        tenant,
        principal: { kind: 'system', id: `schedule:${scene.schedule.id}` },
        onBehalfOf: { kind: 'user', id: 'owner' },
        permissions: ['*'],
        runtime: 'api',
        agent: 'support',
        sessionId: scene.schedule.id,
      },
      idempotencyKey: `schedule:${run?.runId}:1`,
      respondAsync: true,
    },
  ])
  expect(run).toEqual({
    runId: run?.runId,
    scheduleId: scene.schedule.id,
    trigger: 'time',
    status: 'completed',
    dueAt: iso(noon),
    firedAt: iso(noon + 3),
    tries: 1,
    callId: `call_${'1'.padStart(32, '0')}`,
    finishedAt: iso(noon + 3),
  })
  await scene.at(noon + 4)
  expect(scene.requests).toHaveLength(1)
})

test('after downtime one run is made, for the latest time, with the number of missed ones', async () => {
  const scene = await createScene()
  await scene.at(noon + 10 * minute + 500)
  await scene.at(noon + 10 * minute + 900)
  expect(await scene.history()).toMatchObject([
    { dueAt: iso(noon + 10 * minute), missed: 10, status: 'completed' },
  ])
  expect((await scene.read())?.nextMs).toBe(noon + 11 * minute)
})

test('a node that dies between claim and call: another makes the call once its lease is over', async () => {
  const scene = await createScene()
  scene.ends = () => {
    throw new Error('killed')
  }
  await scene.at(noon)
  expect(scene.made.size).toBe(0)
  scene.ends = () => ({ status: 'completed' })
  scene.now = noon + leaseMs - 1
  await scene.createNode().tick()
  expect(scene.made.size).toBe(0)
  scene.now = noon + leaseMs
  await scene.createNode().tick()
  const [run] = await scene.history()
  expect([...scene.made.keys()]).toEqual([`schedule:${run?.runId}:1`])
  expect(run).toMatchObject({ status: 'completed', tries: 1 })
})

test('a node that dies between call and note: the same call is found by its key, not made again', async () => {
  const scene = await createScene()
  scene.ends = () => ({ status: 'queued' })
  const { progressRun } = scene.schedules
  scene.schedules.progressRun = () => Promise.reject(new Error('killed'))
  await scene.at(noon)
  scene.schedules.progressRun = progressRun
  expect(scene.made.size).toBe(1)
  await scene.at(noon + leaseMs)
  expect(scene.made.size).toBe(1)
  expect(await scene.history()).toMatchObject([{ status: 'running', tries: 1 }])
})

test('a failed run is retried three times with growing delays, and then counts as one failure', async () => {
  const scene = await createScene({ overlap: 'skip' })
  scene.ends = () => failure('tool_crashed')
  const starts: number[] = []
  for (let second = 0; second <= 300; second += 1) {
    const before = scene.requests.length
    await scene.at(noon + second * 1000)
    if (scene.requests.length > before) starts.push(second)
  }
  // Fires in between are skipped, so the fifth call belongs to the next run.
  expect(starts.slice(0, 4)).toEqual([0, 10, 50, 210])
  const history = await scene.history()
  const first = history.at(-1)
  expect(first).toMatchObject({ status: 'failed', tries: 4, error: { code: 'tool_crashed' } })
  expect(history.slice(-4, -1).map(({ status }) => status)).toEqual([
    'skipped',
    'skipped',
    'skipped',
  ])
  expect((await scene.read())?.failures).toBe(1)
  const keys = scene.requests.slice(0, 4).map(({ idempotencyKey }) => idempotencyKey)
  expect(keys).toEqual([1, 2, 3, 4].map((attempt) => `schedule:${first?.runId}:${attempt}`))
})

test.each<ErrorCode>([
  'outcome_unknown',
  'denied',
  'approval_required',
  'approval_rejected',
  'cancelled',
  'invalid_input',
  'timeout',
])('a run that ended with %s is not tried again', async (code) => {
  const scene = await createScene()
  scene.ends = () => failure(code)
  await scene.at(noon)
  expect(await scene.history()).toMatchObject([{ status: 'failed', tries: 1, error: { code } }])
})

test('five consecutive failures disable the schedule, with an event that has the reason', async () => {
  const scene = await createScene({ retries: 0 })
  scene.ends = () => failure('upstream_failed', true)
  for (let count = 0; count < 8; count += 1) await scene.at(noon + count * minute)
  expect(scene.requests).toHaveLength(5)
  const reason = '5 runs in a row failed, the last with upstream_failed: It was upstream_failed'
  expect(await scene.read()).toMatchObject({ state: 'disabled', failures: 5, reason })
  const { items } = await scene.store.events.read(tenant, {
    types: ['schedule.disabled'],
    limit: 9,
  })
  const { id, name } = scene.schedule
  expect(items.map(({ principal, data }) => ({ principal, data }))).toEqual([
    { principal: { kind: 'system', id: `schedule:${id}` }, data: { id, name, reason } },
  ])
})

test('a success in between resets the count', async () => {
  const scene = await createScene({ retries: 0 })
  for (let count = 0; count < 12; count += 1) {
    scene.ends = () => (count % 5 === 4 ? { status: 'completed' } : failure('tool_failed'))
    await scene.at(noon + count * minute)
  }
  expect(await scene.read()).toMatchObject({ state: 'active', failures: 2 })
})

test('a tool that vanished fails the run and is counted', async () => {
  const scene = await createScene({ retries: 1 })
  scene.ends = () => failure('tool_not_found')
  await scene.at(noon)
  await scene.at(noon + 20_000)
  expect(await scene.history()).toMatchObject([
    { status: 'failed', tries: 2, error: { code: 'tool_not_found' } },
  ])
  expect((await scene.read())?.failures).toBe(1)
})

test('a temporary refusal by the server does not count as a try', async () => {
  const scene = await createScene({ retries: 0 })
  scene.ends = () => failure('shutting_down', true)
  for (let second = 0; second < 30; second += 1) await scene.at(noon + second * 1000)
  scene.ends = () => ({ status: 'completed' })
  await scene.at(noon + 31_000)
  expect(await scene.history()).toMatchObject([{ status: 'completed', tries: 1 }])
})

test('a run during a suspension does not fail, however long it lasts', async () => {
  const scene = await createScene({ retries: 0, timing: { kind: 'at', atMs: noon } })
  scene.ends = () => failure('tenant_suspended')
  for (let hour = 0; hour < 30; hour += 1) await scene.at(noon + hour * 60 * minute)
  expect(await scene.history()).toMatchObject([{ status: 'running' }])
  scene.ends = () => ({ status: 'completed' })
  await scene.at(noon + 31 * 60 * minute)
  expect(await scene.history()).toMatchObject([{ status: 'completed', tries: 1 }])
  expect(await scene.read()).toMatchObject({ failures: 0 })
})

test('a call that waits for a person keeps its run open and later fires out, until it settles', async () => {
  const scene = await createScene()
  scene.ends = () => ({ status: 'waiting' })
  for (let count = 0; count < 3; count += 1) await scene.at(noon + count * minute)
  const statuses = async () => (await scene.history()).map(({ status }) => status)
  expect(await statuses()).toEqual(['skipped', 'skipped', 'running'])
  for (const call of scene.made.values()) call.status = 'completed'
  await scene.at(noon + 3 * minute - 1)
  expect(await statuses()).toEqual(['skipped', 'skipped', 'completed'])
})

test('a one-shot runs once and is finished; one whose times cannot be computed is disabled', async () => {
  const once = await createScene({ timing: { kind: 'at', atMs: noon } })
  await once.at(noon)
  await once.at(noon + minute)
  expect(once.requests).toHaveLength(1)
  expect(await once.read()).toMatchObject({ state: 'finished' })
  const timing = { kind: 'cron', cron: '0 9 * * *', timezone: 'Atlantis/Capital' } as const
  const lost = await createScene({ timing })
  await lost.at(noon)
  expect(lost.requests).toEqual([])
  expect(await lost.read()).toMatchObject({ state: 'disabled', failures: 0 })
})

test('a started ticker fires on time until it is stopped', async () => {
  const scene = await createScene({ timing: { kind: 'at', atMs: Date.now() + 300 } })
  const { schedules } = scene
  const seen = await scene.read()
  if (seen === undefined) throw new Error('it is gone')
  await schedules.replace(seen, { ...seen, nextMs: Date.now() + 300 }, entryOf('schedule.changed'))
  const fired = Promise.withResolvers<number>()
  const ticker = createTicker(
    {
      schedules,
      inputs: scene.store.inputs,
      now: Date.now,
      random: Math.random,
      onWarning: () => {},
      call: async () => {
        fired.resolve(Date.now())
        return { callId: 'call_1', status: 'completed' }
      },
      findCall: async () => undefined,
    },
    { pollMs: 60_000 },
  )
  ticker.start()
  const at = await fired.promise
  await ticker.stop()
  // Long before the minute after which it would have looked anyway, however busy the machine is.
  const [run] = await scene.history()
  expect(at - Date.parse(run?.dueAt ?? '')).toBeLessThan(10_000)
})
