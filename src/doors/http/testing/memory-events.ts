import type { Caller } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent, EventType } from '../../../core/events/event.ts'
import type { EventPage, EventQuery } from '../../../core/events/event-log.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'

/** An event log in memory. */
export interface MemoryEvents {
  record(caller: Caller, event: { type: EventType; callId?: string; data: JsonValue }): void
  read(caller: Caller, query: EventQuery): Promise<EventPage>
  end(back?: number): string
  compare(left: string, right: string): number
  watch(listener: () => void): () => void
  /** How often it was read, and by how many it is watched. */
  readonly reads: number
  readonly watchers: number
}

/** Opens an empty log. */
export function createMemoryEvents(): MemoryEvents {
  const all: CribEvent[] = []
  const listeners = new Set<() => void>()
  let reads = 0
  return {
    record(caller, { type, callId, data }) {
      const seq = all.filter((event) => event.callId === callId).length + 1
      const at = '2026-01-01T00:00:00.000Z'
      const { tenant, principal } = caller
      const event = { id: `e${all.length + 1}`, seq, at, tenant, callId, principal, type, data }
      all.push(event as unknown as CribEvent)
      for (const listener of listeners) listener()
    },
    async read(caller, { after = 'e0', types, callId, limit }) {
      reads += 1
      const rest = all
        .slice(toPosition(after))
        .filter((event) => event.tenant === caller.tenant)
        .filter((event) => types === undefined || types.includes(event.type))
        .filter((event) => callId === undefined || event.callId === callId)
      const items = rest.slice(0, limit)
      return { items, next: items.at(-1)?.id ?? after, hasMore: rest.length > items.length }
    },
    end: (back = 0) => `e${Math.max(0, all.length - back)}`,
    compare: (left, right) => toPosition(left) - toPosition(right),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get reads() {
      return reads
    },
    get watchers() {
      return listeners.size
    },
  }
}

function toPosition(cursor: string): number {
  const position = /^e(\d+)$/.exec(cursor)?.[1]
  if (position === undefined) throw new ToolError('invalid_request', `${cursor} is no event id`)
  return Number(position)
}
