import type { Caller } from '../core/call.ts'
import type { CribApi } from '../core/crib-api.ts'
import { toCallError } from '../core/pipeline/call-error.ts'
import type { Store } from '../core/ports.ts'
import { createScheduleTicker, type ScheduleTicker } from '../engine/create-schedule-ticker.ts'
import type { SchedulePorts } from '../engine/schedule-ports.ts'

interface ScheduleOptions {
  store: Store
  call: CribApi['call']
  /** The caller of a schedule with no more than its author may do now. Throws when that is nothing. */
  callerNow(caller: Caller): Promise<Caller>
  /** False for a command that only looks: it leaves firing to a server. */
  mayFire: boolean
  now: () => number
  onWarning(message: string): void
}

/** What runs the schedules of this crib. */
export interface Schedules {
  ports: SchedulePorts
  ticker: ScheduleTicker
}

/** Other nodes change schedules too, so they are looked at every second; embedded, only this one does. */
const pollMs = { postgres: 1000, pglite: 5000 } as const

export function startSchedules(options: ScheduleOptions): Schedules {
  const { store, call, callerNow, mayFire, ...rest } = options
  const ports: SchedulePorts = {
    ...rest,
    schedules: store.schedules,
    inputs: store.inputs,
    async call(request) {
      try {
        return await call({ ...request, caller: await callerNow(request.caller) })
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    findCall: (tenant, callId) => store.calls.find(tenant, callId),
    random: Math.random,
  }
  const ticker = createScheduleTicker(ports, { pollMs: pollMs[store.kind] })
  if (mayFire) ticker.start()
  return { ports, ticker }
}
