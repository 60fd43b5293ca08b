import { asAgent } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import { pageOf, pageQuery } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { assertNoSecret } from './assert-no-secret.ts'
import { changeSchedule } from './change-schedule.ts'
import { checkChange, checkWork } from './check-work.ts'
import { keepInput } from './kept-input.ts'
import { toSchedule, toScheduleRun, type StoredSchedule } from './model.ts'
import { factsOf, findOwn, scheduleNotFound, toEvent, type ScheduleParts } from './parts.ts'
import { defaultRetries } from './retry-rule.ts'
import { attendRun } from './running/attend-run.ts'
import { addManualRun } from './running/fire-schedules.ts'
import {
  previewRequest,
  schedule,
  scheduleChange,
  schedulePreview,
  scheduleRequest,
  scheduleRun,
} from './schemas.ts'
import { nextRun, nextRuns } from './timing/next-run.ts'
import { parseWhen, toWhen } from './timing/timing.ts'

const mostOfTenant = 10_000
/** A schedule that fires every second may change between reading and writing, but not this often. */
const changeAttempts = 5

const define = operationsOf<ScheduleParts>('Schedules')
const params = { id: 'The id of the schedule' }
const readers = { oneOf: ['schedules.manage', 'audit.read'] } as const

const listSchedules = define({
  http: 'GET /api/v1/schedules',
  summary: 'List schedules',
  description: 'Oldest first.',
  needs: readers,
  agents: 'own',
  query: pageQuery(50, 500, 'sch'),
  answer: { description: 'A page of schedules', schema: pageOf(schedule) },
  async run(query, { caller, parts }) {
    const page = await parts.schedules.list(caller.tenant, { agent: caller.agent, ...query })
    return { ...page, items: page.items.map(toSchedule) }
  },
})

const createSchedule = define({
  http: 'POST /api/v1/schedules',
  summary: 'Create a schedule',
  description:
    "It runs with the caller's current permissions, limited by policy at the time of each run.",
  needs: { all: ['schedules.manage', 'tools.call'] },
  agents: 'own',
  body: scheduleRequest,
  answer: { status: 201, description: 'The schedule', schema: schedule },
  async run(request, { caller, parts }) {
    const { tenant } = caller
    const work = await checkWork(request, caller, parts.pipeline)
    const { agent } = asAgent(caller, request)
    await assertNoSecret({ tenant, agent, ...work }, parts.pipeline)
    const now = parts.now()
    const timing = parseWhen(request.when, now)
    const id = createId('sch')
    const made: StoredSchedule = {
      id,
      tenant,
      name: request.name,
      ...(request.note !== undefined && { note: request.note }),
      ...work,
      ...keepInput({ id, tenant, ...work }, parts),
      timing,
      ...(agent !== undefined && { agent }),
      overlap: request.overlap ?? 'skip',
      retries: request.retries ?? defaultRetries,
      state: 'active',
      failures: 0,
      version: 1,
      nextMs: nextRun(timing, now),
      createdBy: caller.principal,
      createdMs: now,
      updatedMs: now,
    }
    const event = toEvent(caller, now, { type: 'schedule.created', data: factsOf(made) })
    if (!(await parts.schedules.create(made, event, mostOfTenant))) throw tooMany()
    parts.ticker.wake()
    return toSchedule(made)
  },
})

const previewSchedule = define({
  http: 'POST /api/v1/schedules/preview',
  summary: 'Preview when a schedule would run',
  description: 'Interprets `when` like a new schedule and returns the next times. Stores nothing.',
  needs: readers,
  agents: 'open',
  body: previewRequest,
  answer: { description: 'The next times', schema: schedulePreview },
  async run({ when, count }, { parts }) {
    const now = parts.now()
    const timing = parseWhen(when, now)
    const times = nextRuns(timing, now, count).map((ms) => new Date(ms).toISOString())
    return { when: toWhen(timing), times }
  },
})

const findSchedule = define({
  http: 'GET /api/v1/schedules/{id}',
  summary: 'Get a schedule',
  needs: readers,
  agents: 'own',
  params,
  answer: { description: 'The schedule', schema: schedule },
  run: async ({ id }, { caller, parts }) => toSchedule(await findOwn(parts, caller, id)),
})

const updateSchedule = define({
  http: 'PATCH /api/v1/schedules/{id}',
  summary: 'Change, pause or resume a schedule',
  description:
    "Omitted fields are unchanged. Changing the tool or input makes you the schedule's owner: it runs with your permissions from then on.",
  needs: 'schedules.manage',
  agents: 'own',
  params,
  body: scheduleChange,
  answer: { description: 'The schedule', schema: schedule },
  async run({ id, ...change }, { caller, parts }) {
    for (let attempt = 1; attempt <= changeAttempts; attempt += 1) {
      const seen = await findOwn(parts, caller, id)
      const now = parts.now()
      const checked = await checkChange(seen, change, { caller, parts, now })
      const changed = changeSchedule(seen, checked, now)
      if (checked.input !== undefined) {
        await assertNoSecret({ agent: undefined, ...changed }, parts.pipeline)
        Object.assign(changed, keepInput(changed, parts))
      }
      const event = toEvent(caller, now, { type: 'schedule.changed', data: factsOf(changed) })
      if (!(await parts.schedules.replace(seen, changed, event))) continue
      parts.ticker.wake()
      return toSchedule(changed)
    }
    throw new ToolError('rate_limited', 'The schedule is changing too fast; try again')
  },
})

const deleteSchedule = define({
  http: 'DELETE /api/v1/schedules/{id}',
  summary: 'Delete a schedule with its history',
  needs: 'schedules.manage',
  agents: 'own',
  params,
  async run({ id }, { caller, parts }) {
    const seen = await findOwn(parts, caller, id)
    const data = { id: seen.id, name: seen.name }
    const event = toEvent(caller, parts.now(), { type: 'schedule.deleted', data })
    if (!(await parts.schedules.delete(caller.tenant, id, event))) throw scheduleNotFound(id)
  },
})

const runSchedule = define({
  http: 'POST /api/v1/schedules/{id}/run',
  summary: 'Run a schedule now',
  description:
    'Possible in any state and at any time. The response is sent once the call exists: see `callId`.',
  needs: 'schedules.manage',
  agents: 'own',
  params,
  answer: { status: 202, description: 'The run', schema: scheduleRun },
  async run({ id }, { caller, parts }) {
    const found = await findOwn(parts, caller, id)
    const run = await addManualRun(found, caller.principal, parts)
    if (run === undefined) throw scheduleNotFound(id)
    const attended = await attendRun(run, parts)
    parts.ticker.wake()
    return toScheduleRun(attended)
  },
})

const listScheduleRuns = define({
  http: 'GET /api/v1/schedules/{id}/runs',
  summary: 'List the runs of a schedule',
  description: 'Newest first. The last 1,000 runs are kept; their calls are kept like all calls.',
  needs: readers,
  agents: 'own',
  params,
  query: pageQuery(50, 500, 'srun'),
  answer: { description: 'A page of runs', schema: pageOf(scheduleRun) },
  async run({ id, ...query }, { caller, parts }) {
    const found = await findOwn(parts, caller, id)
    const page = await parts.schedules.listRuns(caller.tenant, found.id, query)
    return { ...page, items: page.items.map(toScheduleRun) }
  },
})

/** Everything that can be asked about schedules, by library method. */
export const scheduleOperations = {
  listSchedules,
  createSchedule,
  previewSchedule,
  findSchedule,
  updateSchedule,
  deleteSchedule,
  runSchedule,
  listScheduleRuns,
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `There are ${mostOfTenant} schedules already`, {
    fix: 'Delete those that are finished or no longer needed.',
  })
}
