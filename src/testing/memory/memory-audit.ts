import { fitsAudit, toolOfEvent } from '../../core/audit/audit-filter.ts'
import type { AuditEntry } from '../../core/audit/audit-filter.ts'
import type { AuditLog } from '../../core/audit/audit-log.ts'
import type { CallLog } from '../../core/call-log.ts'
import type { EventLog } from '../../core/events/event-log.ts'

/** The audit in memory: all that is asked is read anew. What is forgotten with its process is not sealed. */
export function createMemoryAudit(events: EventLog, calls: Pick<CallLog, 'find'>): AuditLog {
  const readAll = async (tenant: string): Promise<AuditEntry[]> => {
    const { items } = await events.read(tenant, { limit: Number.MAX_SAFE_INTEGER })
    return Promise.all(
      items.map(async (event) => {
        const call = event.callId && (await calls.find(tenant, event.callId))
        const tool = call ? call.tool : toolOfEvent(event)
        return tool === undefined ? event : { ...event, tool }
      }),
    )
  }
  return {
    sweep: async () => 0,
    seal: async () => 0,
    async list(tenant, { order, after, until, limit, maxBytes: _bytes, ...filter }) {
      const way = order === 'newest' ? -1 : 1
      const isBeyond = ({ id }: AuditEntry) =>
        (after !== undefined && events.compare(id, after) * way <= 0) ||
        (until !== undefined && events.compare(id, until) > 0)
      const fitting = (await readAll(tenant))
        .filter((entry) => !isBeyond(entry) && fitsAudit(entry, filter))
        .toSorted((a, b) => events.compare(a.id, b.id) * way)
      const items = fitting.slice(0, limit)
      return fitting.length > items.length ? { items, next: items.at(-1)?.id } : { items }
    },
    async check(tenant) {
      const { length } = await readAll(tenant)
      return { segments: 0, events: 0, problems: [], unsealed: length }
    },
    nameAll: async () => new Map(),
  }
}
