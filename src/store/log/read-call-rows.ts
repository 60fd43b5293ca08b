import type { CallRecord, CallResult, CallStatus, WaitingFor } from '../../core/kernel/call.ts'
import type { StoredCall } from '../../core/call-log.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'
import type { TextRow } from '../engine/engine.ts'
import { toCallId } from './call-id.ts'
import { toGroupId } from './group-id.ts'
import type { StoredFacts } from './stored-facts.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { parsePrincipal } from './principal-text.ts'

/** The columns that `toCallRecord` reads, in its order, as text. */
export const callSelection = `tenant, id::text, tool, status, agent, principal, session_id,
  parent_id::text, attempt::text, input, facts, outcome, requested_ms::text, started_ms::text,
  settled_ms::text, waiting_for, has_waited::text, group_id::text, queue, is_approved::text,
  takeovers::text, failures::text, tool_version, wakes::text`

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
  addFacts(record, facts)
  if (row[13] != null) record.startedAt = toIso(row[13])
  if (row[14] != null) record.settledAt = toIso(row[14])
  if (record.status === 'waiting' && row[15] != null) record.waitingFor = row[15] as WaitingFor
  return record
}

function addFacts(record: CallRecord, facts: StoredFacts): void {
  const { decision, skill, purpose, undoes, rerun, stepKey, approvalId } = facts
  if (decision) record.decision = decision
  if (skill !== undefined) record.skill = skill
  if (purpose !== undefined) record.purpose = purpose
  if (undoes !== undefined) record.undoes = undoes
  if (rerun !== undefined) record.rerunOf = rerun.of
  if (rerun?.from !== undefined) record.rerunFrom = rerun.from
  if (stepKey !== undefined) record.stepKey = stepKey
  if (approvalId !== undefined) record.approvalId = approvalId
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
    wakes: Number(row[23]),
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

function parseFacts(row: TextRow): StoredFacts {
  return JSON.parse(row[10] ?? '{}') as StoredFacts
}

function parseOutcome(text: string | null | undefined): Partial<CallResult> {
  return text == null ? {} : (JSON.parse(text) as Partial<CallResult>)
}

function toIso(ms: string): string {
  return new Date(Number(ms)).toISOString()
}
