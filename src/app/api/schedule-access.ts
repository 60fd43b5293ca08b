import type { Caller } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import type { CribApi } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import type { EventType } from '../../core/events/event.ts'
import { createId } from '../../core/ids.ts'
import type { JsonValue } from '../../core/json.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { changeSchedule } from '../../core/schedules/change-schedule.ts'
import { nextRun } from '../../core/schedules/next-run.ts'
import { defaultRetries } from '../../core/schedules/retry-rule.ts'
import type { ToldEvent } from '../../core/events/event.ts'
import { toSchedule, toScheduleRun } from '../../core/schedules/schedule.ts'
import type { StoredSchedule } from '../../core/schedules/schedule.ts'
import { parseWhen, toWhen } from '../../core/schedules/timing.ts'
import type { Timing } from '../../core/schedules/timing.ts'
import { attendRun } from '../../engine/attend-run.ts'
import { addManualRun } from '../../engine/fire-schedules.ts'
import type { ScopeSource } from '../governance/scope-source.ts'
import type { Schedules } from '../start-schedules.ts'
import { isWithin } from './agent-reach.ts'
import { assertNoSecret } from './assert-no-secret.ts'
import { keepInput } from './scheduled-input.ts'
import { requireOneOf, requirePermission } from './permissions.ts'
import { assertScheduleFields, checkChange, checkWork } from './schedule-request.ts'

type ScheduleAccess = Pick<
  CribApi,
  | 'listSchedules'
  | 'findSchedule'
  | 'createSchedule'
  | 'updateSchedule'
  | 'deleteSchedule'
  | 'runSchedule'
  | 'listScheduleRuns'
  | 'previewSchedule'
>

interface ScheduleAccessOptions {
  registry: Registry
  scopes: ScopeSource
  schedules: Schedules
  ports: Pick<PipelinePorts, 'secrets' | 'refusals' | 'uploads'>
}

const mostOfTenant = 10_000
const largestPage = 500
/** A schedule that fires every second may change under the reader, but not so often. */
const changeAttempts = 5

/**
 * Schedules. Changing them needs `schedules.manage`, reading them that or `audit.read`. A caller that
 * is bound to an agent reaches that agent's alone.
 */
export function createScheduleAccess(options: ScheduleAccessOptions): ScheduleAccess {
  return { ...readingOf(options), ...makingOf(options), ...changingOf(options) }
}

function readingOf({ schedules: { ports } }: ScheduleAccessOptions) {
  return {
    async listSchedules(caller, { after, limit: asked }) {
      requireOneOf(caller, ['schedules.manage', 'audit.read'])
      assertCursor(after, 'sch')
      const limit = toLimit(asked)
      const page = await ports.schedules.list(caller.tenant, { agent: caller.agent, after, limit })
      return { ...page, items: page.items.map(toSchedule) }
    },
    async findSchedule(caller, id) {
      requireOneOf(caller, ['schedules.manage', 'audit.read'])
      return toSchedule(await find(ports, caller, id))
    },
    async previewSchedule(caller, { when, count }) {
      requireOneOf(caller, ['schedules.manage', 'audit.read'])
      const now = ports.now()
      const timing = parseWhen(when, now)
      return { when: toWhen(timing), times: nextTimes(timing, now, count) }
    },
    async listScheduleRuns(caller, id, query) {
      requireOneOf(caller, ['schedules.manage', 'audit.read'])
      assertCursor(query.after, 'srun')
      const schedule = await find(ports, caller, id)
      const page = await ports.schedules.listRuns(caller.tenant, schedule.id, {
        ...query,
        limit: toLimit(query.limit),
      })
      return { ...page, items: page.items.map(toScheduleRun) }
    },
  } satisfies Partial<ScheduleAccess>
}

function nextTimes(timing: Timing, fromMs: number, count: number): string[] {
  const times: string[] = []
  let atMs = nextRun(timing, fromMs)
  while (atMs !== undefined && times.length < count) {
    times.push(new Date(atMs).toISOString())
    atMs = nextRun(timing, atMs)
  }
  return times
}

function makingOf(options: ScheduleAccessOptions) {
  const { ports, ticker } = options.schedules
  return {
    async createSchedule(caller, request) {
      requirePermission(caller, 'schedules.manage')
      requirePermission(caller, 'tools.call')
      assertScheduleFields(request)
      const work = await checkWork(request, caller, options)
      const { agent } = asAgent(caller, request)
      await assertNoSecret({ tenant: caller.tenant, agent, ...work }, options)
      const now = ports.now()
      const timing = parseWhen(request.when, now)
      const id = createId('sch')
      const kept = keepInput({ id, tenant: caller.tenant, ...work }, { ...options, ...ports })
      const schedule: StoredSchedule = {
        id,
        tenant: caller.tenant,
        name: request.name,
        ...work,
        ...kept,
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
      const told = toTold(caller, 'schedule.created', { ...factsOf(schedule), at: now })
      if (!(await ports.schedules.create(schedule, told, mostOfTenant))) throw tooMany()
      ticker.wake()
      return toSchedule(schedule)
    },
    async runSchedule(caller, id) {
      requirePermission(caller, 'schedules.manage')
      const schedule = await find(ports, caller, id)
      const run = await addManualRun(schedule, caller.principal, ports)
      if (run === undefined) throw scheduleNotFound(id)
      const attended = await attendRun(run, ports)
      ticker.wake()
      return toScheduleRun(attended)
    },
  } satisfies Partial<ScheduleAccess>
}

function changingOf(options: ScheduleAccessOptions) {
  const { ports, ticker } = options.schedules
  return {
    async updateSchedule(caller, id, change) {
      requirePermission(caller, 'schedules.manage')
      assertScheduleFields(change)
      for (let attempt = 1; attempt <= changeAttempts; attempt += 1) {
        const seen = await find(ports, caller, id)
        const now = ports.now()
        const { inputs } = ports
        const checked = await checkChange(seen, change, { ...options, caller, inputs, now })
        const changed = changeSchedule(seen, checked, now)
        if (checked.input !== undefined) {
          await assertNoSecret({ agent: undefined, ...changed }, options)
          Object.assign(changed, keepInput(changed, { ...options, inputs }))
        }
        const told = toTold(caller, 'schedule.changed', { ...factsOf(changed), at: now })
        if (!(await ports.schedules.replace(seen, changed, told))) continue
        ticker.wake()
        return toSchedule(changed)
      }
      throw new ToolError('rate_limited', 'The schedule changes too fast; try again')
    },
    async deleteSchedule(caller, id) {
      requirePermission(caller, 'schedules.manage')
      const seen = await find(ports, caller, id)
      const told = toTold(caller, 'schedule.deleted', {
        id: seen.id,
        name: seen.name,
        at: ports.now(),
      })
      if (!(await ports.schedules.delete(caller.tenant, id, told))) throw scheduleNotFound(id)
    },
  } satisfies Partial<ScheduleAccess>
}

/** Foreign, hidden and missing ids are one answer. */
async function find(
  { schedules }: Schedules['ports'],
  caller: Caller,
  id: string,
): Promise<StoredSchedule> {
  const found = await schedules.find(caller.tenant, id)
  if (found === undefined || !isWithin(caller, found.agent)) throw scheduleNotFound(id)
  return found
}

function scheduleNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no schedule ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib schedules lists them.',
  })
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `There are ${mostOfTenant} schedules already`, {
    fix: 'Delete those that are finished or no longer needed.',
  })
}

function assertCursor(after: string | undefined, prefix: string): void {
  if (after === undefined || new RegExp(`^${prefix}_[0-9a-f]{32}$`).test(after)) return
  throw new ToolError('invalid_request', 'This is not the cursor of a page', {
    fix: 'Pass the `next` of the page before, or leave `after` out.',
  })
}

function toLimit(asked: number): number {
  return Math.min(Math.max(1, Math.trunc(asked) || 1), largestPage)
}

/** What is told of a schedule: never its input, which may hold anything. */
function factsOf({ id, name, tool, agent, timing, state }: StoredSchedule) {
  const when = { ...toWhen(timing) }
  return { id, name, tool, ...(agent !== undefined && { agent }), when, state }
}

function toTold(
  { principal }: Caller,
  type: EventType,
  { at, ...data }: { at: number; [fact: string]: JsonValue },
): ToldEvent {
  return { principal, event: { type, at, data } }
}
