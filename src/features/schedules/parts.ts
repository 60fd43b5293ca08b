import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { EventFact, EventEntry } from '../../core/events/event.ts'
import { isWithin } from '../../core/operations/agent-reach.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { StoredSchedule } from './model.ts'
import type { Ticker } from './running/create-ticker.ts'
import type { SchedulePorts } from './running/ports.ts'
import { toWhen } from './timing/timing.ts'

/** The dependencies of the operations on schedules. */
export interface ScheduleParts extends SchedulePorts {
  ticker: Ticker
  pipeline: Pick<PipelinePorts, 'registry' | 'scopeFor' | 'secrets' | 'refusals' | 'uploads'>
}

/** Foreign, hidden and missing ids get the same answer. */
export async function findOwn(
  { schedules }: Pick<ScheduleParts, 'schedules'>,
  caller: Caller,
  id: string,
): Promise<StoredSchedule> {
  const found = await schedules.find(caller.tenant, id)
  if (found === undefined || !isWithin(caller, found.agent)) throw scheduleNotFound(id)
  return found
}

export function scheduleNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no schedule ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib schedules lists them.',
  })
}

/** The part of a schedule in the event log: never its input, which may contain anything. */
export function factsOf({ id, name, note, tool, agent, timing, state }: StoredSchedule) {
  const when = { ...toWhen(timing) }
  const optional = { ...(note !== undefined && { note }), ...(agent !== undefined && { agent }) }
  return { id, name, tool, ...optional, when, state }
}

/** The event that is written together with a change. */
export function toEvent({ principal }: Caller, at: number, fact: EventFact): EventEntry {
  return { principal, event: { ...fact, at } }
}
