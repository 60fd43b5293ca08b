import type { CallRecord } from '../../core/call.ts'
import { canonicalJson } from '../../core/pipeline/canonical-json.ts'
import { isSettled } from '../../core/pipeline/call-state.ts'
import type { CallLog, CallQuery, CallStart, OpenResult, Settlement } from '../../core/ports.ts'
import { type MemoryEventLog, toRecord, withoutUndefined } from './memory-log.ts'

interface StoredCall {
  start: CallStart
  record: CallRecord
  /** A call that its node gave up: nobody's, and so nobody's to start. */
  isGivenUp: boolean
  isCancelRequested: boolean
}

/** The record of calls in a map, with the guards of the real one. */
export function createMemoryCalls(events: MemoryEventLog): CallLog {
  const calls = new Map<string, StoredCall>()
  const keys = new Map<string, StoredCall>()
  const findStored = (tenant: string, callId: string) => {
    const call = calls.get(callId)
    return call?.record.tenant === tenant ? call : undefined
  }
  const findOpen = (tenant: string, callId: string) => {
    const call = findStored(tenant, callId)
    return call !== undefined && !isSettled(call.record.status) ? call : undefined
  }

  function open(start: CallStart): OpenResult {
    const key =
      start.idempotencyKey && JSON.stringify([start.tenant, start.tool, start.idempotencyKey])
    const earlier = key ? keys.get(key) : undefined
    if (earlier !== undefined) return joinEarlier(earlier, start)
    if (calls.has(start.callId)) return { kind: 'opened' }
    const call = { start, record: toRecord(start), isGivenUp: false, isCancelRequested: false }
    calls.set(start.callId, call)
    if (key) keys.set(key, call)
    events.append(start, start.events)
    return { kind: 'opened' }
  }
  function settle(settlement: Settlement): boolean {
    const call = findOpen(settlement.tenant, settlement.callId)
    const isOld = settlement.attempt !== undefined && settlement.attempt !== call?.record.attempt
    if (call === undefined || isOld) return false
    const { status, output, error, artifact, warnings } = settlement
    const settledAt = new Date(settlement.settledAt).toISOString()
    const end = withoutUndefined({ status, output, error, artifact, warnings, settledAt })
    Object.assign(call.record, structuredClone(end))
    events.append(call.start, settlement.events)
    return true
  }

  return {
    open: async (start) => open(start),
    async recordWhole(start, settlement) {
      const opened = calls.get(start.callId)
      if (opened === undefined) open(start)
      const lacking = opened === undefined ? [] : start.events.slice(opened.start.events.length)
      settle({ ...settlement, events: [...lacking, ...settlement.events] })
    },
    async append(tenant, callId, added) {
      const call = findOpen(tenant, callId)
      if (call !== undefined) events.append(call.start, added)
      return call !== undefined
    },
    async start(tenant, callId, added) {
      const call = findOpen(tenant, callId)
      if (call?.record.status !== 'queued' || call.isGivenUp) return undefined
      const { record } = call
      Object.assign(record, { status: 'running', attempt: record.attempt + 1 })
      record.startedAt = new Date(added[0]?.at ?? Date.now()).toISOString()
      events.append(call.start, added)
      return { attempt: record.attempt }
    },
    async requeue(tenant, callId, { attempt, events: added }) {
      const call = findOpen(tenant, callId)
      if (call?.record.status !== 'running' || call.record.attempt !== attempt) return false
      call.isGivenUp = true
      call.record.status = 'queued'
      delete call.record.startedAt
      events.append(call.start, added)
      return true
    },
    settle: async (settlement) => settle(settlement),
    find: async (tenant, callId) => structuredClone(findStored(tenant, callId)?.record),
    async list(tenant, query) {
      const all = [...calls.values()].map((call) => call.record).toReversed()
      const fitting = all.filter((record) => record.tenant === tenant && fits(record, query))
      const items = structuredClone(fitting.slice(0, query.limit))
      return fitting.length > query.limit ? { items, next: items.at(-1)?.callId } : { items }
    },
    async requestCancel(tenant, callId) {
      const call = findOpen(tenant, callId)
      if (call !== undefined) call.isCancelRequested = true
      return call !== undefined
    },
    cancelRequested: async (callIds) => callIds.filter((id) => calls.get(id)?.isCancelRequested),
    // This memory dies with its process, so there is never another node's call in it.
    claimOrphans: async () => [],
  }
}

function joinEarlier(earlier: StoredCall, start: CallStart): OpenResult {
  if (earlier.record.callId === start.callId) return { kind: 'opened' }
  const comparedBy = ({ hashInput, input }: CallStart) => canonicalJson(hashInput ?? input)
  const isSame = comparedBy(earlier.start) === comparedBy(start)
  if (!isSame) return { kind: 'mismatch', callId: earlier.record.callId }
  return { kind: 'existing', call: structuredClone(earlier.record) }
}

function fits(record: CallRecord, query: CallQuery): boolean {
  if (query.after !== undefined && record.callId >= query.after) return false
  if (query.principal !== undefined && record.principal.id !== query.principal) return false
  const exact = ['tool', 'status', 'agent', 'sessionId', 'parentId'] as const
  return exact.every((key) => query[key] === undefined || record[key] === query[key])
}
