import type { CallError, Principal } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Runtime } from '../../core/kernel/runtime.ts'
import type { Overlap, RunStatus, Schedule, ScheduleRun, ScheduleState } from './schemas.ts'
import { toWhen, type Timing } from './timing/timing.ts'

/**
 * The authority of a schedule, as far as it was granted when it was written. Policy may since allow
 * less, never more.
 */
export interface ScheduleAuthority {
  principal: Principal
  permissions: readonly string[]
  runtime: Runtime
  parents?: readonly string[]
  skill?: string
}

/** A schedule as it is stored. Times are milliseconds since the epoch. */
export interface StoredSchedule {
  id: string
  tenant: string
  name: string
  /** For people. */
  note?: string
  tool: string
  /** As displayed: with a placeholder for every secret field. */
  input: JsonValue
  /** The whole input, where it has secret fields. */
  sealedInput?: string
  timing: Timing
  agent?: string
  overlap: Overlap
  retries: number
  state: ScheduleState
  reason?: string
  failures: number
  /** Counts changes by people; guards against two at once. */
  version: number
  /** Set while it is active, and only then. */
  nextMs?: number
  lastDueMs?: number
  createdBy: Principal
  authority: ScheduleAuthority
  createdMs: number
  updatedMs: number
}

/** The call of a run: fixed when it fires, so that changing the schedule doesn't affect it. */
export type ScheduledRequest = Pick<
  StoredSchedule,
  'name' | 'tool' | 'input' | 'sealedInput' | 'agent' | 'retries' | 'authority'
>

/** A finished attempt of a run. */
export interface RunTry {
  callId?: string
  error?: CallError
}

/** A run as it is stored. */
export interface StoredRun {
  id: string
  tenant: string
  scheduleId: string
  isManual: boolean
  status: RunStatus
  dueMs: number
  firedMs: number
  missed: number
  /** The number of the try that is under way, from 1. */
  attempt: number
  /** The call of this try, once it is made. */
  callId?: string
  /** The tries before it, or all when it is finished. */
  tries: readonly RunTry[]
  /** Present until it is finished. */
  request?: ScheduledRequest
  /** When it must be checked again; present until it is finished. */
  lookMs?: number
  finishedMs?: number
}

/** The public part of a stored schedule: everything but its authority. */
export function toSchedule(stored: StoredSchedule): Schedule {
  const { timing, version: _version, nextMs, lastDueMs, authority, ...rest } = stored
  const { createdMs, updatedMs, sealedInput: _sealed, ...shown } = rest
  return withoutUndefined({
    ...shown,
    when: toWhen(timing),
    nextRunAt: toTimeOrNone(nextMs),
    lastRunAt: toTimeOrNone(lastDueMs),
    runsFor: authority.principal,
    createdAt: toTime(createdMs),
    updatedAt: toTime(updatedMs),
  })
}

/** The public part of a stored run. */
export function toScheduleRun(stored: StoredRun): ScheduleRun {
  const { lookMs, finishedMs } = stored
  const last = stored.tries.at(-1)
  const callId = stored.callId ?? last?.callId
  const isOpen = finishedMs === undefined
  const isBetween = isOpen && stored.callId === undefined && last !== undefined
  return withoutUndefined({
    runId: stored.id,
    scheduleId: stored.scheduleId,
    trigger: stored.isManual ? 'now' : 'time',
    status: stored.status,
    dueAt: toTime(stored.dueMs),
    firedAt: toTime(stored.firedMs),
    missed: stored.missed === 0 ? undefined : stored.missed,
    tries: stored.tries.length + (isOpen && stored.callId !== undefined ? 1 : 0),
    callId,
    error: last?.error,
    nextTryAt: isBetween ? toTimeOrNone(lookMs) : undefined,
    finishedAt: toTimeOrNone(finishedMs),
  })
}

/** The call of a run of this schedule. */
export function toRunRequest(schedule: StoredSchedule): ScheduledRequest {
  const { name, tool, input, sealedInput, agent, retries, authority } = schedule
  return withoutUndefined({ name, tool, input, sealedInput, agent, retries, authority })
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}

function toTimeOrNone(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : toTime(ms)
}

/** Doors treat absent and undefined alike; JSON and tests for equality do not. */
function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T
}
