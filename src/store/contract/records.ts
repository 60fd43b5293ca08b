import type { EventType, NewEvent } from '../../core/events/event.ts'
import { createId } from '../../core/kernel/ids.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { CallStart, Settlement } from '../../core/call-log.ts'
import { parseMasterKeys } from '../master-key.ts'
import type { StoreSettings } from '../open-store.ts'

const moment = Date.parse('2026-01-02T03:04:05.678Z')

/** A tenant that no other test has. */
export function freshTenant(): string {
  return createId('tenant')
}

export function settingsFor(nodeId = 'node', key = 7): StoreSettings {
  return {
    masterKeys: parseMasterKeys(`k1:${Buffer.alloc(32, key).toString('base64')}`),
    nodeId,
    onWarning: () => {},
  }
}

/** An event that may hold anything: the store keeps what it is given, and what earlier versions wrote. */
export function eventOf<T extends EventType>(
  type: T,
  data: JsonValue = null,
  at = moment,
): NewEvent<T> {
  const event = { type, at, data } as unknown as NewEvent<T>
  madeUp.add(event)
  return event
}

/** Events that need not be as their types are described. */
export const madeUp = new WeakSet<object>()

/** A running call of the tenant with its first two events. */
export function startOf(tenant: string, more: Partial<CallStart> = {}): CallStart {
  return {
    callId: createId('call'),
    tenant,
    tool: 'calc.sum',
    status: 'running',
    input: { a: 1, b: [2, 3] },
    principal: { kind: 'key', id: 'abc' },
    runtime: 'api',
    attempt: 1,
    execution: 'inline',
    isRepeatable: false,
    timeoutMs: 30_000,
    requestedAt: moment,
    startedAt: moment + 1,
    events: [eventOf('call.requested', { tool: 'calc.sum' }), eventOf('call.started')],
    ...more,
  }
}

export function settlementOf(start: CallStart, more: Partial<Settlement> = {}): Settlement {
  return {
    callId: start.callId,
    tenant: start.tenant,
    status: 'completed',
    output: { sum: 6 },
    settledAt: moment + 5,
    events: [eventOf('call.completed', { sum: 6 })],
    ...more,
  }
}
