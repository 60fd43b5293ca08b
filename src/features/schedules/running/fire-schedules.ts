import type { Principal } from '../../../core/kernel/call.ts'
import { createId } from '../../../core/kernel/ids.ts'
import { planFire } from '../timing/next-run.ts'
import type { EventEntry } from '../../../core/events/event.ts'
import type { ScheduleFire } from '../schedule-store.ts'
import { toRunRequest } from '../model.ts'
import type { StoredRun, StoredSchedule } from '../model.ts'
import { leaseMs, type SchedulePorts } from './ports.ts'

/** Claims the runs of due schedules. Returns those that this node won and must attend to. */
export async function fireDue(ports: SchedulePorts, limit: number): Promise<StoredRun[]> {
  const now = ports.now()
  const due = await ports.schedules.listDue(now, limit)
  const fires: ScheduleFire[] = []
  for (const schedule of due) {
    const fire = toFire(schedule, now)
    if ('fault' in fire) await switchOff(schedule, fire.fault, ports)
    else fires.push(fire)
  }
  const runs = await ports.schedules.claim(fires)
  return runs.filter(({ status }) => status === 'running')
}

/** Adds a manual run; undefined when the schedule was deleted. */
export async function addManualRun(
  schedule: StoredSchedule,
  by: Principal,
  ports: SchedulePorts,
): Promise<StoredRun | undefined> {
  const now = ports.now()
  const run = toRun(schedule, { isManual: true, dueMs: now, firedMs: now })
  const told = toTold(schedule, run, { principal: by, trigger: 'now' })
  return (await ports.schedules.addRun(run, told)) ? run : undefined
}

function toFire(seen: StoredSchedule, now: number): ScheduleFire | { fault: string } {
  try {
    const { dueMs, missed, nextMs } = planFire(seen.timing, seen.nextMs ?? now, now)
    const run = { ...toRun(seen, { isManual: false, dueMs, firedMs: now }), missed }
    const principal = { kind: 'system', id: `schedule:${seen.id}` } as const
    return { seen, run, nextMs, told: toTold(seen, run, { principal, trigger: 'time' }) }
  } catch (error) {
    // A time zone may be missing in another version of the platform.
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function toRun(
  schedule: StoredSchedule,
  times: Pick<StoredRun, 'isManual' | 'dueMs' | 'firedMs'>,
): StoredRun {
  return {
    id: createId('srun'),
    tenant: schedule.tenant,
    scheduleId: schedule.id,
    ...times,
    status: 'running',
    missed: 0,
    attempt: 1,
    tries: [],
    request: toRunRequest(schedule),
    lookMs: times.firedMs + leaseMs,
  }
}

function toTold(
  { id, name, tool }: StoredSchedule,
  run: StoredRun,
  { principal, trigger }: { principal: Principal; trigger: 'now' | 'time' },
): EventEntry<'schedule.fired'> {
  const dueAt = new Date(run.dueMs).toISOString()
  const { missed } = run
  const facts = { id, name, tool, runId: run.id, trigger, dueAt, ...(missed > 0 && { missed }) }
  return { principal, event: { type: 'schedule.fired', at: run.firedMs, data: facts } }
}

/** A schedule that can't be planned would fail on every sweep: it is disabled, with the reason. */
async function switchOff(
  schedule: StoredSchedule,
  fault: string,
  ports: SchedulePorts,
): Promise<void> {
  const reason = `The next time can't be computed: ${fault}`
  const { id, name } = schedule
  const principal = { kind: 'system', id: `schedule:${id}` } as const
  await ports.schedules.replace(
    schedule,
    { ...schedule, state: 'disabled', reason, nextMs: undefined },
    {
      principal,
      event: { type: 'schedule.disabled', at: ports.now(), data: { id, name, reason } },
    },
  )
}
