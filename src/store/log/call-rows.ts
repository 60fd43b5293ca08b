import type {
  CallRecord,
  CallResult,
  CallStatus,
  Decision,
  WaitingFor,
} from '../../core/kernel/call.ts'
import type { NewEvent } from '../../core/events/event.ts'
import type { CallStart, Settlement, StoredCall } from '../../core/call-log.ts'
import type { WorkOrder } from '../../core/work-ports.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'
import type { Columns, RowField } from '../engine/composite-rows.ts'
import type { TextRow } from '../engine/engine.ts'
import { parseCallId, requireCallId, toCallId } from './call-id.ts'
import { parseGroupId, toGroupId } from './group-id.ts'
import { toChunk } from './events/event-chunks.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { parsePrincipal, toPrincipalText } from './principal-text.ts'
import {
  toJsonText,
  toStoredMs,
  toStoredMsOrNull,
  toStoredText,
  toStoredTextOrNull,
} from './stored-text.ts'

/** The columns of the row type `new_call`, in its order. */
export const newCallColumns = [
  ['tenant', 'text'],
  ['id', 'uuid'],
  ['tool', 'text'],
  ['status', 'text'],
  ['agent', 'text'],
  ['principal', 'text'],
  ['session_id', 'text'],
  ['parent_id', 'uuid'],
  ['attempt', 'int'],
  ['last_seq', 'int'],
  ['input', 'text'],
  ['facts', 'text'],
  ['outcome', 'text'],
  ['requested_ms', 'bigint'],
  ['started_ms', 'bigint'],
  ['settled_ms', 'bigint'],
  ['idempotency_key', 'text'],
  ['input_hash', 'bytea'],
  ['types', 'text'],
  ['items', 'text'],
  ['queue', 'text'],
  ['waiting_for', 'text'],
  ['deadline_ms', 'bigint'],
  ['group_id', 'uuid'],
  ['tool_version', 'text'],
] as const satisfies Columns

/** The columns of the row type `call_change`, in its order. */
export const callChangeColumns = [
  ['tenant', 'text'],
  ['id', 'uuid'],
  ['kind', 'text'],
  ['status', 'text'],
  ['outcome', 'text'],
  ['attempt', 'int'],
  ['at_ms', 'bigint'],
  ['added', 'int'],
  ['types', 'text'],
  ['items', 'text'],
  ['from_status', 'text'],
  ['waiting_for', 'text'],
  ['token_hash', 'text'],
  ['deadline_ms', 'bigint'],
  ['queue', 'text'],
  ['input', 'text'],
  ['tool_version', 'text'],
] as const satisfies Columns

/** A call as it is first written; with a settlement, as it is written whole, with all its events and in no group. */
export function toNewCallRow(
  start: CallStart,
  more: {
    settlement?: Settlement
    events?: readonly NewEvent[]
    inputHash?: Uint8Array
    sealedInput?: string
  } = {},
): RowField[] {
  const { settlement, inputHash, events = start.events } = more
  const groupId = settlement === undefined ? start.groupId : undefined
  const chunk = toChunk(events)
  return [
    toStoredText(start.tenant),
    requireCallId(start.callId),
    toStoredText(start.tool),
    settlement?.status ?? start.status,
    toStoredTextOrNull(start.agent),
    toPrincipalText(start.principal),
    toStoredTextOrNull(start.sessionId),
    orNull(start.parentId && parseCallId(start.parentId)),
    start.attempt,
    chunk.count,
    toJsonText(start.input),
    toJsonText(toFacts(start, more.sealedInput)),
    settlement ? toOutcome(settlement) : null,
    toStoredMs(start.requestedAt),
    toStoredMsOrNull(start.startedAt),
    toStoredMsOrNull(settlement?.settledAt),
    // A key is stored only with what it is compared by.
    inputHash ? toStoredTextOrNull(start.idempotencyKey) : null,
    orNull(inputHash),
    chunk.types,
    chunk.items,
    toStoredTextOrNull(start.work?.queue),
    orNull(start.waitingFor),
    toStoredMsOrNull(start.deadlineAt),
    orNull(groupId && parseGroupId(groupId)),
    orNull(start.toolVersion),
  ]
}

function orNull<T>(value: T | undefined | ''): T | null {
  return value === undefined || value === '' ? null : value
}

/** Changes of an existing call. */
export interface CallChange {
  kind: 'append' | 'start' | 'requeue' | 'wait' | 'release' | 'settle'
  tenant: string
  callId: string
  events: readonly NewEvent[]
  atMs?: number
  /** Only while the call is in this attempt. */
  attempt?: number
  /** Only while the call is in this status. */
  from?: CallStatus
  settlement?: Settlement
  waitingFor?: WaitingFor
  /** To be set by a start, to be matched by a settlement. */
  tokenHash?: string
  deadlineAt?: number
  /** Where its job goes, of what is put back into the queue. */
  work?: WorkOrder
  /** Put back because it failed, not because its node stops. */
  isFailure?: boolean
  /** It was run from a queue: its job ends with it. */
  hadJob?: boolean
  /** Of the tool that starts. */
  toolVersion?: string
  /** In place of the input it had: somebody who decides about a call may change it. */
  input?: JsonValue
}

export function toCallChangeRow(change: CallChange): RowField[] {
  const chunk = toChunk(change.events)
  const { settlement } = change
  return [
    toStoredText(change.tenant),
    requireCallId(change.callId),
    change.kind,
    settlement?.status ?? (change.isFailure ? 'failed' : null),
    settlement ? toOutcome(settlement) : null,
    orNull(change.attempt),
    toStoredMsOrNull(change.atMs),
    chunk.count,
    chunk.types,
    chunk.items,
    orNull(change.from),
    orNull(change.waitingFor),
    orNull(change.tokenHash),
    toStoredMsOrNull(change.deadlineAt),
    toStoredTextOrNull(change.work?.queue),
    change.input === undefined ? null : toJsonText(change.input),
    orNull(change.toolVersion),
  ]
}

/** About how many bytes the row takes in a message. */
export function weighRow(row: readonly RowField[]): number {
  let bytes = 0
  for (const field of row) bytes += typeof field === 'string' ? field.length : 8
  return bytes
}

/** Columns that are never searched. */
interface CallFacts extends Pick<
  CallStart,
  | 'runtime'
  | 'execution'
  | 'isRepeatable'
  | 'timeoutMs'
  | 'permissions'
  | 'parents'
  | 'skill'
  | 'onBehalfOf'
  | 'person'
  | 'work'
  | 'position'
  | 'askedDigest'
> {
  decision?: Decision
  /** The input as it came, where the recorded one was redacted. */
  sealedInput?: string
  approvalId?: string
}

function toFacts(start: CallStart, sealedInput: string | undefined): CallFacts {
  return {
    runtime: start.runtime,
    execution: start.execution,
    isRepeatable: start.isRepeatable,
    timeoutMs: start.timeoutMs,
    decision: start.decision,
    permissions: start.permissions,
    parents: start.parents,
    skill: start.skill,
    work: start.work,
    position: start.position,
    askedDigest: start.askedDigest,
    onBehalfOf: start.onBehalfOf,
    person: start.person,
    approvalId: start.approval?.id,
    sealedInput,
  }
}

/** The cost comes last: a brief list finds it there without reading the rest. */
function toOutcome({ output, error, artifact, warnings, cost }: Settlement): string {
  return toJsonText({ output, error, artifact, warnings, cost })
}

/** The columns that `toCallRecord` reads, in its order, as text. */
export const callSelection = `tenant, id::text, tool, status, agent, principal, session_id,
  parent_id::text, attempt::text, input, facts, outcome, requested_ms::text, started_ms::text,
  settled_ms::text, waiting_for, has_waited::text, group_id::text, queue, is_approved::text,
  takeovers::text, failures::text, tool_version`

const briefOutcome = `case when status = 'completed' then
  concat('{', substring(right(outcome, 48) from '"cost":[-+.eE0-9]+(?=\\}$)'), '}') else outcome end`

/**
 * The same without what may be large: no input, and of a call that completed no more of its outcome
 * than its cost.
 */
export const briefSelection = callSelection.replace(
  'attempt::text, input, facts, outcome,',
  () => `attempt::text, 'null', facts, ${briefOutcome},`,
)

/** A stored call as everybody gets it. Absent stays absent, so that two readings are equal. */
export function toCallRecord(row: TextRow): CallRecord {
  const text = (index: number) => row[index] ?? ''
  const { facts, record } = { facts: parseFacts(row), record: parseOutcome(row[11]) as CallRecord }
  record.callId = toCallId(text(1))
  record.tenant = text(0)
  record.tool = text(2)
  record.status = text(3) as CallStatus
  record.input = JSON.parse(text(9)) as JsonValue
  record.principal = parsePrincipal(text(5))
  record.runtime = facts.runtime
  record.attempt = Number(row[8])
  record.requestedAt = toIso(text(12))
  if (row[22] != null) record.toolVersion = row[22]
  if (row[4] != null) record.agent = row[4]
  if (row[6] != null) record.sessionId = row[6]
  if (row[7] != null) record.parentId = toCallId(row[7])
  if (facts.decision) record.decision = facts.decision
  if (facts.skill !== undefined) record.skill = facts.skill
  if (facts.approvalId !== undefined) record.approvalId = facts.approvalId
  if (row[13] != null) record.startedAt = toIso(row[13])
  if (row[14] != null) record.settledAt = toIso(row[14])
  if (record.status === 'waiting' && row[15] != null) record.waitingFor = row[15] as WaitingFor
  return record
}

/** A stored call with all that is needed to run it. */
export function toStoredCall(row: TextRow, inputs: InputSeal): StoredCall {
  const { runtime: _runtime, decision: _decision, sealedInput, work, ...facts } = parseFacts(row)
  const call: StoredCall = {
    ...toCallRecord(row),
    ...facts,
    hasWaited: row[16] === 'true',
    isApproved: row[19] === 'true',
    takeovers: Number(row[20]),
    failures: Number(row[21]),
  }
  if (row[17] != null) call.groupId = toGroupId(row[17])
  // Where its job was put last; the rest of the order is as it was asked for.
  if (row[18] != null) call.work = { priority: 0, ...work, queue: row[18] }
  return sealedInput === undefined ? call : withInput(call, sealedInput, inputs)
}

/** One input that can't be opened, its key being gone for one, must not keep all calls from being read. */
function withInput(call: StoredCall, sealedInput: string, inputs: InputSeal): StoredCall {
  try {
    return { ...call, rawInput: inputs.open(sealedInput, call.callId) }
  } catch {
    return { ...call, isInputLost: true }
  }
}

function parseFacts(row: TextRow): CallFacts {
  return JSON.parse(row[10] ?? '{}') as CallFacts
}

function parseOutcome(text: string | null | undefined): Partial<CallResult> {
  return text == null ? {} : (JSON.parse(text) as Partial<CallResult>)
}

function toIso(ms: string): string {
  return new Date(Number(ms)).toISOString()
}
