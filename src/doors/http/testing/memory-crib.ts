import type { CallRecord, CallResult, Caller } from '../../../core/kernel/call.ts'
import type { CallRequest } from '../../../core/kernel/call-request.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ErrorCode } from '../../../core/kernel/errors.ts'
import { createEventFeed } from '../../../core/events/event-feed.ts'
import type { EventQuery } from '../../../core/events/event-log.ts'
import { openOperations } from '../../../core/operations/run-operation.ts'
import { createEventDoor } from '../../../features/events/create-event-door.ts'
import { eventOperations } from '../../../features/events/operations.ts'
import { tenantNotFound } from '../../../core/rules/tenant.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { createMemoryEvents } from './memory-events.ts'
import type { MemoryEvents } from './memory-events.ts'
import { memoryCallOperations } from './memory-call-operations.ts'
import { memoryManagement } from './memory-management.ts'
import { memorySignIn, type MemorySignIns } from './memory-sign-in.ts'
import { memoryToolOperations } from './memory-tool-operations.ts'
import { memoryTools } from './memory-tools.ts'
import type { MemoryTool } from './memory-tools.ts'

/** A crib without rules or store, for tests of the door's own manners: statuses, streams, limits. */
export interface MemoryCrib {
  api: CoreApi
  calls: Map<string, CallRecord>
  events: MemoryEvents
  /** Requests as the door made them, newest last. */
  requests: CallRequest[]
  health: { status: 'ok' | 'failing' }
  owner: Caller
  /** Tenants that the owner may act in. */
  tenants: Set<string>
  /** Sign-ins, accounts and invitations, as the library has them. */
  signIns: MemorySignIns
}

/** The keys it knows: an owner, somebody of another tenant, and one bound to an agent. */
const callers: Record<string, Caller> = {
  crib_owner: toCaller('default', 'owner'),
  crib_other: toCaller('other', 'other'),
  crib_bound: { ...toCaller('default', 'bound'), agent: 'support' },
}

function toCaller(tenant: string, id: string): Caller {
  return { tenant, principal: { kind: 'key', id }, permissions: ['*'], runtime: 'api' }
}

/** Builds the crib. */
export function createMemoryCrib(): MemoryCrib {
  const events = createMemoryEvents()
  const calls = new Map<string, CallRecord>()
  const requests: CallRequest[] = []
  const tenants = new Set<string>()
  const { door, signIns, runOperation } = memorySignIn()
  const ofTools = memoryToolOperations()
  const feed = createEventFeed({
    read: (tenant, query) => events.read(toCaller(tenant, 'feed'), query),
    end: async () => events.end(),
    watch: events.watch,
    compare: events.compare,
  })
  const ofEvents = {
    calls: { find: async (_tenant: string, id: string) => calls.get(id) },
    events: {
      read: (tenant: string, query: EventQuery) => events.read(toCaller(tenant, 'log'), query),
      end: async (_tenant: string, back?: number) => events.end(back),
    },
    feed,
  }
  const health: MemoryCrib['health'] = { status: 'ok' }
  const owner = toCaller('default', 'owner')

  const readEvents = openOperations(eventOperations, ofEvents)
  const ofCalls = memoryCallOperations({
    calls,
    call: (request) => api.call(request),
    cancel: (callId) => void settle({ calls, events }, callId, { status: 'cancelled' }),
  })
  const api: CoreApi = {
    ...memoryManagement(health),
    ...door,
    runOperation: async (name, caller, request) =>
      (ofCalls[name] ?? ofTools[name] ?? readEvents[name])?.run(caller, request) ??
      runOperation(name, caller, request),
    authenticate: (token) => Promise.resolve(callers[token]),
    async actIn(caller, tenant) {
      if (tenant === caller.tenant) return caller
      if (caller.tenant !== 'default' || !tenants.has(tenant)) throw tenantNotFound(tenant)
      return { ...caller, tenant, home: caller.tenant }
    },
    call(request) {
      requests.push(request)
      return runCall(request, { calls, events })
    },
    // Completion has rules of its own, and is tested on the real thing.
    complete: () => Promise.reject(new ToolError('not_found', 'No call waits to be completed')),
    reportProgress: () =>
      Promise.reject(new ToolError('not_found', 'No call waits to be completed')),
    ...createEventDoor(ofEvents),
  }
  return { api, calls, events, requests, health, owner, tenants, signIns }
}

interface Memory {
  calls: Map<string, CallRecord>
  events: MemoryEvents
}

async function runCall(request: CallRequest, memory: Memory): Promise<CallResult> {
  const found = memoryTools.find(({ listing }) =>
    [listing.name, listing.wireName].includes(request.tool),
  )
  if (found === undefined) return refused('tool_not_found', `There is no tool ${request.tool}`)
  if (typeof request.input !== 'object' || request.input === null) {
    return refused('invalid_input', 'The input must be an object')
  }
  const callId = openCall(request, found, memory)
  request.onCall?.(callId)
  if (found.isDenied) {
    const error = { code: 'denied' as const, message: 'Policy says no', retryable: false }
    return toResult(settle(memory, callId, { status: 'denied', error }))
  }
  const running = execute(found, request, { ...memory, callId })
  if (found.isBackground || request.respondAsync === true) return { callId, status: 'running' }
  return toResult(await running)
}

function openCall(
  request: CallRequest,
  { listing }: MemoryTool,
  { calls, events }: Memory,
): string {
  const callId = `call_${calls.size + 1}`
  calls.set(callId, {
    callId,
    status: 'running',
    tenant: request.caller.tenant,
    tool: listing.name,
    input: request.input as JsonValue,
    agent: request.caller.agent,
    principal: request.caller.principal,
    runtime: request.caller.runtime,
    sessionId: request.caller.sessionId,
    attempt: 1,
    requestedAt: '2026-01-01T00:00:00.000Z',
  })
  events.record(request.caller, { type: 'call.started', callId, data: {} })
  return callId
}

async function execute(
  found: MemoryTool,
  request: CallRequest,
  memory: Memory & { callId: string },
) {
  const { callId, events } = memory
  const output = await found.execute(request.input as JsonValue, {
    signal: request.signal ?? new AbortController().signal,
    output(piece) {
      request.onOutput?.(piece)
      events.record(request.caller, {
        type: 'call.output',
        callId,
        data: piece as unknown as JsonValue,
      })
    },
  })
  const isAborted = request.signal?.aborted === true
  return settle(
    memory,
    callId,
    isAborted ? { status: 'cancelled' } : { status: 'completed', output },
  )
}

function settle(
  { calls, events }: Memory,
  callId: string,
  end: Pick<CallRecord, 'status' | 'output' | 'error'>,
) {
  const before = calls.get(callId)
  if (before === undefined || before.settledAt !== undefined)
    throw new Error(`${callId} has settled`)
  const record = { ...before, ...end, settledAt: '2026-01-01T00:00:01.000Z' }
  calls.set(callId, record)
  const type = `call.${end.status}` as 'call.completed'
  events.record({ ...toCaller(record.tenant, record.principal.id) }, { type, callId, data: {} })
  return record
}

function toResult({ callId, status, output, error }: CallRecord): CallResult {
  return { callId, status, output, error }
}

function refused(code: ErrorCode, message: string): CallResult {
  return { status: 'failed', error: { code, message, retryable: false } }
}
