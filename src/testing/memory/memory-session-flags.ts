import type { EventType } from '../../core/events/event.ts'
import type { SessionFlag, SessionFlagStore } from '../../core/flow/session-flags.ts'
import type { JsonValue } from '../../core/json.ts'
import type { EventLog, LooseEvents } from '../../core/events/event-log.ts'

/** Flags of sessions in memory. */
export function createMemorySessionFlags(events: EventLog): SessionFlagStore {
  const flags = new Map<string, SessionFlag[]>()
  const keyOf = (tenant: string, key: string) => JSON.stringify([tenant, key])
  const tell = (of: Omit<LooseEvents, 'events'>, type: EventType, data: JsonValue) =>
    events.record([{ ...of, events: [{ type, at: Date.now(), data }] }])
  return {
    read: async (tenant, key) => [...(flags.get(keyOf(tenant, key)) ?? [])],
    async raise({ tenant, key, kinds, callId, tool, by: principal, sessionId, agent, at }) {
      const up = flags.get(keyOf(tenant, key)) ?? []
      const fresh = kinds.filter((kind) => !up.some((flag) => flag.kind === kind))
      const raisedAt = new Date(at).toISOString()
      flags.set(keyOf(tenant, key), [
        ...up,
        ...fresh.map((kind) => ({ kind, callId, tool, raisedAt })),
      ])
      for (const kind of fresh) {
        await tell({ tenant, principal, sessionId, agent }, 'session.flagged', {
          kind,
          callId,
          tool,
        })
      }
    },
    async clear(tenant, key, principal) {
      const up = flags.get(keyOf(tenant, key)) ?? []
      flags.delete(keyOf(tenant, key))
      if (up.length === 0) return up
      const sessionId = key.startsWith('session:') ? key.slice('session:'.length) : undefined
      await tell({ tenant, principal, sessionId }, 'session.cleared', {
        flags: up.map((flag) => ({ ...flag })),
      })
      return up
    },
  }
}
