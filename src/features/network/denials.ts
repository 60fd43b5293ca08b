import type { EventPayloads } from '../../core/events/event.ts'
import type { EventLog, LooseEvents } from '../../core/events/event-log.ts'
import type { Principal } from '../../core/kernel/call.ts'

/** A refused host, and the caller it was refused to. */
export interface Denial {
  tenant: string
  principal: Principal
  sessionId?: string | undefined
  data: Omit<EventPayloads['network.denied'], 'count'>
}

export interface Denials {
  record(denial: Denial): void
  /** Records the repeats that were counted so far. */
  close(): Promise<void>
}

interface DenialsOptions {
  events: Pick<EventLog, 'record'>
  now(): number
  onWarning(message: string): void
  windowMs?: number
}

interface Window {
  denial: Denial
  /** Refusals since the last event. */
  repeats: number
  timer: NodeJS.Timeout
}

const usualWindowMs = 10_000
/** Hosts that are listed one by one in a window; a scan of more becomes one event. */
const mostOfTenant = 100

/** Records the first refusal at once, and counts its repeats: a loop must not fill the log. */
export function createDenials(options: DenialsOptions): Denials {
  const { events, now, onWarning, windowMs = usualWindowMs } = options
  const windows = new Map<string, Map<string, Window>>()
  const writing = new Set<Promise<void>>()

  function write(denial: Denial, count: number): void {
    const { tenant, principal, sessionId, data } = denial
    const { agent } = data
    const event = { type: 'network.denied' as const, at: now(), data: { ...data, count } }
    const entry: LooseEvents = { tenant, principal, events: [event] }
    if (sessionId !== undefined) entry.sessionId = sessionId
    if (agent !== undefined) entry.agent = agent
    const written = events
      .record([entry])
      .catch((error: unknown) => onWarning(`A refused host was not recorded: ${String(error)}`))
      .finally(() => writing.delete(written))
    writing.add(written)
  }
  function end(tenant: string, key: string): void {
    const ofTenant = windows.get(tenant)
    const window = ofTenant?.get(key)
    if (ofTenant === undefined || window === undefined) return
    clearTimeout(window.timer)
    ofTenant.delete(key)
    if (ofTenant.size === 0) windows.delete(tenant)
    if (window.repeats > 0) write(window.denial, window.repeats)
  }
  return {
    record(given) {
      const { tenant } = given
      const ofTenant = windows.get(tenant) ?? new Map<string, Window>()
      windows.set(tenant, ofTenant)
      const isScan = !ofTenant.has(keyOf(given)) && ofTenant.size >= mostOfTenant
      const denial = isScan ? toScan(given) : given
      const key = keyOf(denial)
      const window = ofTenant.get(key)
      if (window !== undefined) {
        window.repeats++
        return
      }
      const timer = setTimeout(() => end(tenant, key), windowMs)
      timer.unref()
      ofTenant.set(key, { denial, repeats: 0, timer })
      write(denial, 1)
    },
    async close() {
      for (const [tenant, ofTenant] of windows) for (const key of ofTenant.keys()) end(tenant, key)
      await Promise.all(writing)
    },
  }
}

function keyOf({ sessionId, data }: Denial): string {
  const { host, port, rule, tool, callId } = data
  return JSON.stringify([host, port, rule, tool, callId, sessionId])
}

function toScan({ tenant, principal, data }: Denial): Denial {
  const { tool: _tool, callId: _callId, agent: _agent, ...facts } = data
  const rule = 'different hosts'
  return { tenant, principal, data: { ...facts, host: '*', port: 0, rule, pack: '*' } }
}
