import type { CallRecord } from '../../core/call.ts'
import type { CribEvent, NewEvent } from '../../core/events/event.ts'
import { ToolError } from '../../core/errors.ts'
import { createId } from '../../core/ids.ts'
import type { CallStart } from '../../core/call-log.ts'
import type { EventLog, EventQuery, LooseEvents } from '../../core/events/event-log.ts'

/** What events hang on: a call, or a moment outside of calls. */
interface Owner extends Omit<LooseEvents, 'events'> {
  callId?: string
}

export interface MemoryEventLog extends EventLog {
  append(owner: Owner, events: readonly NewEvent[]): void
}

/** The event log as an array. An event's id is its place in it. */
export function createMemoryEvents(): MemoryEventLog {
  const log: CribEvent[] = []
  const counts = new Map<string, number>()
  const named = new Map<string, CribEvent[]>()
  const listeners = new Set<() => void>()

  function append(from: Owner, events: readonly NewEvent[]): void {
    const { callId, tenant, principal, sessionId, agent } = from
    const owner = withoutUndefined({ tenant, principal, sessionId, agent })
    const stream = callId ?? createId('evt')
    for (const { type, at, data } of events) {
      const seq = (counts.get(stream) ?? 0) + 1
      counts.set(stream, seq)
      const event = {
        id: String(log.length + 1),
        seq,
        at: new Date(at).toISOString(),
        ...owner,
        type,
        data,
      }
      log.push(structuredClone(callId === undefined ? event : { ...event, callId }))
    }
    for (const listener of listeners) listener()
  }
  return {
    append,
    async record(entries) {
      for (const { events, id, ...owner } of entries) {
        const before = log.length
        append(owner, events)
        if (id !== undefined) named.set(id, log.slice(before))
      }
    },
    async read(tenant, query) {
      const fitting = log
        .slice(toPlace(query.after))
        .filter((event) => event.tenant === tenant && fits(event, query))
      const items = fitting.slice(0, query.limit)
      const hasMore = fitting.length > items.length
      return { items, hasMore, next: hasMore ? (items.at(-1)?.id ?? '0') : String(log.length) }
    },
    find: async (tenant, id) => (named.get(id) ?? []).filter((event) => event.tenant === tenant),
    async end(tenant, back = 0) {
      const own = log.filter((event) => event.tenant === tenant)
      return back === 0 ? String(log.length) : (own.at(-back - 1)?.id ?? '0')
    },
    compare: (left, right) => toPlace(left) - toPlace(right),
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function toPlace(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new ToolError('invalid_request', 'This is not a cursor of this log')
}

function fits(event: CribEvent, { types, callId, sessionId }: EventQuery): boolean {
  if (types !== undefined && !types.includes(event.type)) return false
  if (callId !== undefined && event.callId !== callId) return false
  return sessionId === undefined || event.sessionId === sessionId
}

/** A call's start as its first record. */
export function toRecord(start: CallStart): CallRecord {
  const { events: _events, idempotencyKey: _key, rawInput: _rawInput, ...facts } = start
  const { permissions: _permissions, parents: _parents, timeoutMs: _timeout, ...told } = facts
  const {
    work: _work,
    deadlineAt: _deadline,
    groupId: _group,
    position: _position,
    askedDigest: _askedDigest,
    preparedInput: _preparedInput,
    onBehalfOf: _behalf,
    approval,
    ...shown
  } = told
  const {
    requestedAt,
    startedAt,
    execution: _execution,
    isRepeatable: _repeatable,
    ...rest
  } = shown
  const record: CallRecord = { ...rest, requestedAt: new Date(requestedAt).toISOString() }
  if (approval !== undefined) record.approvalId = approval.id
  if (startedAt !== undefined) record.startedAt = new Date(startedAt).toISOString()
  return structuredClone(withoutUndefined(record))
}

/** Absent and undefined are the same in a stored row. */
export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T
}
