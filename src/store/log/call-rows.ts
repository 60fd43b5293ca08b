import type { CallStatus, WaitingFor } from '../../core/kernel/call.ts'
import type { NewEvent } from '../../core/events/event.ts'
import type { CallStart, Settlement } from '../../core/call-log.ts'
import type { WorkOrder } from '../../core/work-ports.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'
import type { Columns, RowField } from '../engine/composite-rows.ts'
import { parseCallId, requireCallId } from './call-id.ts'
import { parseGroupId } from './group-id.ts'
import { toChunk } from './events/event-chunks.ts'
import { toPrincipalText } from './principal-text.ts'
import {
  toJsonText,
  toStoredMs,
  toStoredMsOrNull,
  toStoredText,
  toStoredTextOrNull,
} from './stored-text.ts'
import { toFacts } from './stored-facts.ts'

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
  ['parent_wake', 'bigint'],
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
  ['wake_at', 'bigint'],
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
    orNull(start.parentWake),
  ]
}

function orNull<T>(value: T | undefined | ''): T | null {
  return value === undefined || value === '' ? null : value
}

/** Changes of an existing call. */
export interface CallChange {
  kind: 'append' | 'start' | 'requeue' | 'wait' | 'release' | 'reopen' | 'settle'
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
  /** For a call that waits for any of its steps: when to wake it. */
  wakeAt?: number
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
    orNull(change.wakeAt),
  ]
}

/** About how many bytes the row takes in a message. */
export function weighRow(row: readonly RowField[]): number {
  let bytes = 0
  for (const field of row) bytes += typeof field === 'string' ? field.length : 8
  return bytes
}

/** The cost comes last: a brief list finds it there without reading the rest. */
function toOutcome({ output, error, artifact, warnings, cost }: Settlement): string {
  return toJsonText({ output, error, artifact, warnings, cost })
}
