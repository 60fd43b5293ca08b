import { storeTime } from '../../core/kernel/ids.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { Registry } from '../../core/registry.ts'
import { defaultTenant, type ScopeSource } from './scope-source.ts'

interface Following {
  registry: Registry
  scopes: ScopeSource
  events: EventLog
  /** Called once for all changes that come together. */
  onChange(): Promise<void>
  onWarning(message: string): void
}

/** From now on every change of a tool is an event, and cached facts about packs are recomputed. */
export function followRegistry(following: Following): () => void {
  const { registry, scopes, events, onWarning } = following
  const principal = { kind: 'system', id: 'loader' } as const
  let settled: Promise<void> | undefined
  const settle = () => {
    settled ??= Promise.resolve()
      .then(() => {
        settled = undefined
        return following.onChange()
      })
      .catch((error: unknown) =>
        onWarning(`The change of tools could not be recorded: ${String(error)}`),
      )
  }
  return registry.subscribe(({ type, name }) => {
    scopes.invalidate()
    settle()
    const quarantine = registry.find(name)?.quarantine
    const data = { tool: name, ...(quarantine && { reason: quarantine }) }
    events
      .record([{ tenant: defaultTenant, principal, events: [{ type, at: storeTime(), data }] }])
      .catch((error: unknown) =>
        onWarning(`The change of ${name} could not be recorded: ${String(error)}`),
      )
  })
}
