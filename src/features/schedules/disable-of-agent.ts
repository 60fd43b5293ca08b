import type { Caller } from '../../core/kernel/call.ts'
import { readAll } from '../../core/kernel/page.ts'
import type { StoredSchedule } from './model.ts'
import type { SchedulePorts } from './running/ports.ts'

/** Disables the schedules of an agent that was deleted. */
export async function disableOfAgent(
  { schedules, now }: Pick<SchedulePorts, 'schedules' | 'now'>,
  { tenant, principal }: Caller,
  slug: string,
): Promise<void> {
  const list = (after?: string) => schedules.list(tenant, { agent: slug, after, limit: 500 })
  const reason = `The agent ${slug} was deleted`
  for await (const { id } of readAll(list)) {
    // One that fires at this moment has changed since it was read.
    for (let isOff = false; !isOff;) {
      const seen = await schedules.find(tenant, id)
      if (seen === undefined || (seen.state !== 'active' && seen.state !== 'paused')) break
      const at = now()
      const { nextMs: _nextMs, ...rest } = seen
      const off: StoredSchedule = { ...rest, state: 'disabled', reason, updatedMs: at }
      const event = {
        type: 'schedule.disabled',
        at,
        data: { id, name: seen.name, reason },
      } as const
      isOff = await schedules.replace(seen, off, { principal, event })
    }
  }
}
