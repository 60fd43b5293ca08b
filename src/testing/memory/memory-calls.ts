import type { CallRecord } from '../../core/call.ts'
import type { JsonValue } from '../../core/tool.ts'
import type { NewEvent } from '../../core/events/event.ts'
import { canonicalJson } from '../../core/pipeline/canonical-json.ts'
import { isSettled } from '../../core/pipeline/call-state.ts'
import { defaultQueue } from '../../core/pipeline/work-order.ts'
import type { DecisionEntry } from '../../core/approvals/approval-store.ts'
import type { GroupStore } from '../../core/async/group-store.ts'
import type {
  CallLog,
  CallQuery,
  CallStart,
  OpenResult,
  Settlement,
  StoredCall,
} from '../../core/call-log.ts'
import type { MemoryGroups } from './memory-groups.ts'
import { type MemoryEventLog, toRecord, withoutUndefined } from './memory-log.ts'
import type { MemoryQueue } from './memory-queue.ts'

interface Entry {
  start: CallStart
  record: CallRecord
  rawInput?: JsonValue
  deadlineAt?: number
  tokenHash?: string
  isTokenUsed?: boolean
  hasWaited: boolean
  isApproved: boolean
  takeovers: number
  failures: number
  isCancelRequested: boolean
}

/** The record of calls, with what the approvals beside it need. */
export interface MemoryCalls extends CallLog {
  /** Every call that was opened to wait for a person, oldest first. */
  asked(): StoredStart[]
  findStored(tenant: string, callId: string): StoredCall | undefined
  edit(callId: string, edit: NonNullable<DecisionEntry['edit']>): void
  releaseCall(callId: string, added: readonly NewEvent[]): void
  listMembers: GroupStore['listMembers']
}

type StoredStart = CallStart & { approval: NonNullable<CallStart['approval']> }

/** The record of calls in a map, with the guards of the real one. */
export function createMemoryCalls(
  events: MemoryEventLog,
  queue: MemoryQueue,
  groups: MemoryGroups,
): MemoryCalls {
  const calls = new Map<string, Entry>()
  const keys = new Map<string, Entry>()
  const findEntry = (tenant: string, callId: string) => {
    const call = calls.get(callId)
    return call?.record.tenant === tenant ? call : undefined
  }
  const findOpen = (tenant: string, callId: string) => {
    const call = findEntry(tenant, callId)
    return call !== undefined && !isSettled(call.record.status) ? call : undefined
  }
  const findRunning = (tenant: string, callId: string, attempt: number) => {
    const call = findOpen(tenant, callId)
    const isSame = call?.record.status === 'running' && call.record.attempt === attempt
    return isSame ? call : undefined
  }

  function open(start: CallStart): OpenResult {
    const key =
      start.idempotencyKey && JSON.stringify([start.tenant, start.tool, start.idempotencyKey])
    const earlier = key ? keys.get(key) : undefined
    if (calls.has(start.callId)) return { kind: 'opened' }
    if (earlier !== undefined) return joinEarlier(earlier, start)
    const refusal = start.groupId === undefined ? undefined : groups.join(start)
    if (refusal !== undefined) return { kind: 'refused', error: refusal }
    const call: Entry = {
      start,
      record: toRecord(start),
      rawInput: start.rawInput,
      deadlineAt: start.deadlineAt,
      hasWaited: false,
      isApproved: false,
      takeovers: 0,
      failures: 0,
      isCancelRequested: false,
    }
    calls.set(start.callId, call)
    if (key) keys.set(key, call)
    events.append(start, start.events)
    if (start.status === 'queued' && start.work !== undefined) queue.add(start, start.work)
    return { kind: 'opened' }
  }
  function settle(settlement: Settlement): boolean {
    const call = findOpen(settlement.tenant, settlement.callId)
    if (call === undefined || !fitsGuards(call, settlement)) return false
    const { status, output, error, artifact, warnings, cost } = settlement
    const settledAt = new Date(settlement.settledAt).toISOString()
    const end = withoutUndefined({ status, output, error, artifact, warnings, cost, settledAt })
    delete call.record.waitingFor
    delete call.deadlineAt
    call.isTokenUsed = settlement.tokenHash !== undefined
    Object.assign(call.record, structuredClone(end))
    queue.remove(settlement.callId)
    if (call.start.groupId !== undefined) groups.countOff(call.start.groupId, settlement)
    events.append(call.start, settlement.events)
    return true
  }
  function release(call: Entry, added: readonly NewEvent[]): void {
    call.isApproved ||= call.record.waitingFor === 'approval'
    delete call.record.waitingFor
    delete call.deadlineAt
    call.record.status = 'queued'
    queue.add(call.start, { queue: defaultQueue, priority: 0, ...call.start.work })
    events.append(call.start, added)
  }
  const stored = (fits: (call: Entry) => boolean, limit: number) =>
    [...calls.values()].filter(fits).slice(0, limit).map(toStored)

  return {
    asked: () =>
      [...calls.values()].flatMap(({ start }) =>
        start.approval === undefined ? [] : [{ ...start, approval: start.approval }],
      ),
    findStored(tenant, callId) {
      const call = findEntry(tenant, callId)
      return call && toStored(call)
    },
    edit(callId, { input, rawInput }) {
      const call = calls.get(callId)
      if (call === undefined) return
      call.record.input = structuredClone(input)
      call.rawInput = rawInput
    },
    releaseCall(callId, added) {
      const call = calls.get(callId)
      if (call !== undefined) release(call, added)
    },
    open: async (start) => open(start),
    async recordWhole(start, settlement) {
      const opened = calls.get(start.callId)
      if (opened === undefined) open({ ...start, groupId: undefined })
      const lacking = opened === undefined ? [] : start.events.slice(opened.start.events.length)
      settle({ ...settlement, events: [...lacking, ...settlement.events] })
    },
    async append(tenant, callId, added) {
      const call = findOpen(tenant, callId)
      if (call === undefined) return false
      const { attempt = call.record.attempt, events: more } = added
      const isOver = attempt !== call.record.attempt || call.record.status !== 'running'
      if (added.attempt !== undefined && isOver) return false
      events.append(call.start, more)
      return true
    },
    async findRunnable(jobs) {
      return jobs
        .map(({ tenant, callId }) => findOpen(tenant, callId))
        .filter((call) => call !== undefined && call.record.status !== 'waiting')
        .map((call) => toStored(call as Entry))
    },
    async start(tenant, callId, begin) {
      const call = findOpen(tenant, callId)
      const isSame = call?.record.status === begin.from && call.record.attempt === begin.attempt
      if (call === undefined || !isSame) return undefined
      const { record } = call
      if (begin.from === 'running') call.takeovers += 1
      Object.assign(record, { status: 'running', attempt: record.attempt + 1 })
      record.startedAt = new Date(begin.events[0]?.at ?? Date.now()).toISOString()
      call.tokenHash = begin.tokenHash
      call.isTokenUsed = false
      events.append(call.start, begin.events)
      return { attempt: record.attempt }
    },
    async requeue(tenant, callId, { attempt, work, isFailure, events: added }) {
      const call = findRunning(tenant, callId, attempt)
      if (call === undefined) return false
      if (isFailure) call.failures += 1
      delete call.tokenHash
      call.record.status = 'queued'
      delete call.record.startedAt
      queue.add(call.start, work)
      events.append(call.start, added)
      return true
    },
    async wait(tenant, callId, { attempt, waitingFor, deadlineAt, events: added }) {
      const call = findRunning(tenant, callId, attempt)
      if (call === undefined) return false
      Object.assign(call.record, { status: 'waiting', waitingFor })
      call.deadlineAt = deadlineAt
      call.hasWaited ||= waitingFor === 'call'
      queue.remove(callId)
      events.append(call.start, added)
      return true
    },
    async releaseParents(limit) {
      const isOpenChildOf = (parent: Entry) => (call: Entry) =>
        call.record.parentId === parent.record.callId && !isSettled(call.record.status)
      const ready = [...calls.values()]
        .filter((call) => call.record.waitingFor === 'call')
        .filter((call) => !calls.values().some(isOpenChildOf(call)))
        .slice(0, limit)
      const data = { reason: 'The calls it waited for have ended' }
      for (const call of ready) release(call, [{ type: 'call.queued', at: Date.now(), data }])
      return ready.length
    },
    findOverdue: async (limit) =>
      stored((call) => (call.deadlineAt ?? Infinity) < Date.now(), limit),
    digestInput: canonicalJson,
    listChildren: async (tenant, callId) =>
      stored(({ record }) => record.tenant === tenant && record.parentId === callId, Infinity),
    async findWithInput(tenant, callId) {
      const call = findEntry(tenant, callId)
      return call && toStored(call)
    },
    listWork: async () => [],
    async listMembers(tenant, groupId) {
      const members = stored(
        ({ record, start }) => record.tenant === tenant && start.groupId === groupId,
        Infinity,
      )
      return members.map((member) => {
        const idempotencyKey = calls.get(member.callId)?.start.idempotencyKey
        return idempotencyKey === undefined ? member : { ...member, idempotencyKey }
      })
    },
    settle: async (settlement) => settle(settlement),
    async findByToken(callId, tokenHash) {
      const call = calls.get(callId)
      return call?.tokenHash === tokenHash ? toStored(call) : undefined
    },
    async spendToken(tenant, callId, tokenHash) {
      const call = findEntry(tenant, callId)
      const isOver = call !== undefined && isSettled(call.record.status)
      if (!isOver || call.tokenHash !== tokenHash || call.isTokenUsed) return false
      call.isTokenUsed = true
      return true
    },
    find: async (tenant, callId) => structuredClone(findEntry(tenant, callId)?.record),
    async list(tenant, query) {
      const isUnder = (record: CallRecord | undefined, { underId }: CallQuery): boolean =>
        underId === undefined ||
        (record?.parentId !== undefined &&
          (record.parentId === underId ||
            isUnder(findEntry(tenant, record.parentId)?.record, { underId, limit: 1 })))
      const { idempotencyKey: key } = query
      const all = [...calls.values()]
        .filter(({ start }) => key === undefined || start.idempotencyKey === key)
        .map((call) => call.record)
        .toReversed()
      const fitting = all.filter(
        (record) => record.tenant === tenant && fits(record, query) && isUnder(record, query),
      )
      const shown = fitting.slice(0, query.limit)
      const items = structuredClone(query.isBrief === true ? shown.map(toBrief) : shown)
      return fitting.length > query.limit ? { items, next: items.at(-1)?.callId } : { items }
    },
    async requestCancel(tenant, callId) {
      const call = findOpen(tenant, callId)
      if (call !== undefined) call.isCancelRequested = true
      return call !== undefined
    },
    async findSettled(wanted, limit) {
      const records = wanted.flatMap(
        ({ tenant, callId }) => findEntry(tenant, callId)?.record ?? [],
      )
      return structuredClone(records.filter(({ status }) => isSettled(status)).slice(0, limit))
    },
    cancelRequested: async (callIds) => callIds.filter((id) => calls.get(id)?.isCancelRequested),
    // This memory dies with its process, so there is never another node's call in it.
    claimOrphans: async () => [],
  }
}

function fitsGuards({ record, tokenHash }: Entry, settlement: Settlement): boolean {
  if (settlement.attempt !== undefined && settlement.attempt !== record.attempt) return false
  if (settlement.from !== undefined && settlement.from !== record.status) return false
  return settlement.tokenHash === undefined || settlement.tokenHash === tokenHash
}

function toStored(call: Entry): StoredCall {
  const { execution, isRepeatable, timeoutMs, permissions, parents, work, onBehalfOf } = call.start
  const { rawInput } = call
  const { groupId, position, askedDigest } = call.start
  const facts = {
    execution,
    isRepeatable,
    timeoutMs,
    permissions,
    parents,
    work,
    rawInput,
    onBehalfOf,
  }
  const { hasWaited, isApproved, takeovers, failures } = call
  const counted = { hasWaited, isApproved, takeovers, failures }
  return structuredClone(
    withoutUndefined({ ...call.record, ...facts, groupId, position, askedDigest, ...counted }),
  )
}

function joinEarlier(earlier: Entry, start: CallStart): OpenResult {
  if (earlier.record.callId === start.callId) return { kind: 'opened' }
  const comparedBy = ({ rawInput, input, preparedInput }: CallStart) =>
    [rawInput ?? input, preparedInput ?? rawInput ?? input].map(canonicalJson)
  const known = comparedBy(earlier.start)
  const isSame = comparedBy(start).some((text) => known.includes(text))
  if (!isSame) return { kind: 'mismatch', callId: earlier.record.callId }
  return { kind: 'existing', call: structuredClone(earlier.record) }
}

function toBrief({ output: _output, ...record }: CallRecord): CallRecord {
  return { ...record, input: null }
}

function fits(record: CallRecord, query: CallQuery): boolean {
  const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = query
  const madeMs = Number.parseInt(record.callId.slice(5, 17), 16)
  if (madeMs < fromMs || madeMs >= toMs) return false
  if (query.after !== undefined && record.callId >= query.after) return false
  if (query.principal !== undefined && record.principal.id !== query.principal) return false
  const names = [query.tool, ...(query.formerNames ?? [])]
  if (query.tool !== undefined && !names.includes(record.tool)) return false
  const exact = ['status', 'agent', 'sessionId', 'parentId'] as const
  return exact.every((key) => query[key] === undefined || record[key] === query[key])
}
