import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature, Kernel } from '../feature.ts'
import { disableOfAgent } from './disable-of-agent.ts'
import { scheduleOperations } from './operations.ts'
import { createTicker } from './running/create-ticker.ts'
import type { SchedulePorts } from './running/ports.ts'
import { createScheduleStore } from './store/schedule-store.ts'

/** Other nodes change schedules too, so they are checked every second; with an embedded store, only this node does. */
const pollMs = { postgres: 1000, pglite: 5000 } as const

/** Schedules, which run tools. */
export const schedulesFeature: Feature = {
  name: 'schedules',
  open(kernel) {
    const ports = toPorts(kernel)
    const ticker = createTicker(ports, { pollMs: pollMs[kernel.engine.kind] })
    return {
      operations: openOperations(scheduleOperations, { ...ports, ticker, pipeline: kernel.ports }),
      start: () => ticker.start(),
      dropAgent: (caller, slug) => disableOfAgent(ports, caller, slug),
      stop: () => ticker.stop(),
    }
  },
}

function toPorts({ engine, store, ports, call, now, onWarning }: Kernel): SchedulePorts {
  return {
    schedules: createScheduleStore(engine),
    inputs: store.inputs,
    now,
    random: Math.random,
    onWarning,
    /** With at most the current permissions of the schedule's author. */
    async call(request) {
      try {
        return await call({ ...request, caller: await ports.callerNow(request.caller) })
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    findCall: (tenant, callId) => store.calls.find(tenant, callId),
  }
}
