import type { ApprovalStatus, DecisionResult } from '../../../core/approvals/approval.ts'
import type { ApprovalStore, DecisionEntry } from '../../../core/approval-store.ts'
import type { Settlement } from '../../../core/call-log.ts'
import type { Engine, EngineTransaction, Statement, TextRow } from '../../../store/engine/engine.ts'
import { toStoreError } from '../../../store/engine/store-error.ts'
import { parseCallId, requireCallId, toCallId } from '../../../store/log/call-id.ts'
import { type CallChange, toCallChangeRow } from '../../../store/log/call-rows.ts'
import type { JobChange } from '../../../store/log/writing/log-entry.ts'
import type { LogWriter } from '../../../store/log/writing/log-writer.ts'
import { toPrincipalText } from '../../../store/log/principal-text.ts'
import type { InputSeal } from '../../../core/secrets/input-seal.ts'
import {
  toJsonText,
  toStoredMs,
  toStoredText,
  toStoredTextOrNull,
} from '../../../store/log/stored-text.ts'
import { parsePrefixedId } from '../../../store/log/approvals/approval-id.ts'
import { insertRule, toRuleValues } from './approval-rules.ts'

interface DecideParts {
  writer: LogWriter
  inputs: InputSeal
}

/** A decision whose effects have to be rolled back. */
class Refusal extends Error {
  readonly result: DecisionResult
  constructor(result: DecisionResult) {
    super(result.kind)
    this.result = result
  }
}

/**
 * Decides in one transaction. The call is locked before its approval, as by everybody who ends a
 * call, so that two can't wait for each other in a circle.
 */
export function createDecide(
  engine: Engine,
  parts: DecideParts & { find: ApprovalStore['find'] },
): ApprovalStore['decide'] {
  return async (tenant, id, entry) => {
    const uuid = parsePrefixedId('appr', id)
    if (uuid === undefined) return { kind: 'not_found' }
    try {
      await engine.transact(async (transaction) => {
        const open = await lockOpen(transaction, [toStoredText(tenant), uuid], entry)
        await write({ transaction, tenant, uuid, ...open }, entry, parts)
      })
    } catch (error) {
      if (error instanceof Refusal) return error.result
      throw toStoreError(error)
    }
    tellOthers(engine)
    const approval = await parts.find(tenant, id)
    return approval === undefined ? { kind: 'not_found' } : { kind: 'decided', approval }
  }
}

interface OpenApproval {
  callId: string
  revision: number
  needed: number
  facts: string
}

async function lockOpen(
  { run }: EngineTransaction,
  id: [string, string],
  entry: DecisionEntry,
): Promise<OpenApproval> {
  const { at, revision } = entry
  const [found] = await run(findCallOf, id)
  if (found?.[0] == null) throw new Refusal({ kind: 'not_found' })
  const [call] = await run(lockCall, [id[0], found[0]])
  const [row] = await run(lockApproval, id)
  if (row === undefined || call === undefined) throw new Refusal({ kind: 'not_found' })
  const [status, current, needed, expiresMs] = row
  if (status !== 'pending') throw closed(status as Exclude<ApprovalStatus, 'pending'>)
  if (Number(expiresMs) <= at) throw closed('expired')
  if (!isWaiting(call)) throw closed('cancelled')
  if (Number(current) !== revision) throw new Refusal({ kind: 'edited' })
  const isPlainYes = entry.ruling.kind === 'approve' && entry.edit === undefined
  if (isPlainYes) await refuseRepeated(run, id, entry)
  return { callId: toCallId(found[0]), revision, needed: Number(needed), facts: call[2] ?? '{}' }
}

async function refuseRepeated(
  run: EngineTransaction['run'],
  id: [string, string],
  { revision, by, person = by }: DecisionEntry,
): Promise<void> {
  const [said] = await run(findYes, [...id, revision, toPrincipalText(person)])
  if (said !== undefined) throw new Refusal({ kind: 'repeated' })
}

function isWaiting([status, waitingFor]: TextRow): boolean {
  return status === 'waiting' && waitingFor === 'approval'
}

type Open = OpenApproval & { transaction: EngineTransaction; tenant: string; uuid: string }

async function write(open: Open, entry: DecisionEntry, parts: DecideParts): Promise<void> {
  const { run } = open.transaction
  const id = [toStoredText(open.tenant), open.uuid]
  const revision = entry.edit === undefined ? open.revision : open.revision + 1
  if (entry.edit !== undefined) {
    const call = toEditedCall(open, entry.edit, parts.inputs)
    await run(editCall, [id[0] ?? '', requireCallId(open.callId), call.input, call.facts])
    const { preview } = entry.edit
    await run(editApproval, [...id, revision, preview === undefined ? null : toJsonText(preview)])
  }
  await run(insertDecision, [
    ...id,
    toPrincipalText(entry.by),
    entry.ruling.kind,
    toStoredTextOrNull(entry.reason),
    String(entry.edit !== undefined),
    revision,
    toStoredMs(entry.at),
    entry.person === undefined ? null : toPrincipalText(entry.person),
  ])
  if (entry.ruling.kind === 'reject') {
    await run(closeApproval, [...id, 'rejected', toStoredMs(entry.at)])
    return changeCall(open, toSettle(entry.ruling.settlement), parts.writer)
  }
  const [row] = await run(countYes, [...id, revision])
  const missing = Math.max(0, open.needed - Number(row?.[0]))
  if (entry.ruling.rule !== undefined) {
    const [added] = await run(insertRule, toRuleValues(entry.ruling.rule))
    if (added === undefined) throw new Refusal({ kind: 'too_many_rules' })
  }
  const { callId, tenant } = open
  const events = entry.ruling.toEvents(missing)
  if (missing > 0) return changeCall(open, { kind: 'append', tenant, callId, events }, parts.writer)
  await run(closeApproval, [...id, 'approved', toStoredMs(entry.at)])
  const { work } = entry.ruling
  await changeCall(open, { kind: 'release', tenant, callId, events, work }, parts.writer)
}

function toEditedCall(
  { facts, callId }: Open,
  { input, rawInput }: NonNullable<DecisionEntry['edit']>,
  inputs: InputSeal,
): { input: string; facts: string } {
  const { sealedInput: _sealed, ...kept } = JSON.parse(facts) as Record<string, unknown>
  const sealed = rawInput === undefined ? {} : { sealedInput: inputs.seal(callId, rawInput) }
  return { input: toJsonText(input), facts: toJsonText({ ...kept, ...sealed }) }
}

/** Ends the call of an approval that nobody decided on in time. */
export function createExpire(
  engine: Engine,
  { writer }: Pick<DecideParts, 'writer'>,
): ApprovalStore['expire'] {
  return async (settlement) => {
    const uuid = parseCallId(settlement.callId)
    if (uuid === undefined) return false
    const id = [toStoredText(settlement.tenant), uuid]
    try {
      await engine.transact(async (transaction) => {
        await transaction.run(lockCall, id)
        await transaction.run(expireApproval, [...id, toStoredMs(settlement.settledAt)])
        await changeCall({ transaction }, toSettle(settlement), writer)
      })
    } catch (error) {
      if (error instanceof Refusal) return false
      throw toStoreError(error)
    }
    tellOthers(engine)
    return true
  }
}

/** Puts an approved call back to waiting, together with its approval. */
export function createReopen(
  engine: Engine,
  { writer }: Pick<DecideParts, 'writer'>,
): ApprovalStore['reopen'] {
  return async (tenant, id, { callId, at, expiresAt, preview, isAnnounced, events }) => {
    const uuid = parsePrefixedId('appr', id)
    if (uuid === undefined || parseCallId(callId) === undefined) return false
    const of = [toStoredText(tenant), uuid] as const
    try {
      await engine.transact(async (transaction) => {
        const { run } = transaction
        await run(lockCall, [of[0], requireCallId(callId)])
        const [row] = await run(reopenApproval, [...of, toStoredMs(expiresAt), toJsonText(preview)])
        if (row === undefined) throw closed('cancelled')
        if (isAnnounced) {
          await run(announceAgain, [...of, requireCallId(callId), toStoredMs(at)])
        }
        const change = { tenant, callId, events, deadlineAt: expiresAt } as const
        const waiting = { kind: 'reopen', from: 'queued', waitingFor: 'approval' } as const
        await changeCall({ transaction }, { ...change, ...waiting }, writer)
      })
    } catch (error) {
      if (error instanceof Refusal) return false
      throw toStoreError(error)
    }
    tellOthers(engine)
    return true
  }
}

function toSettle(settlement: Settlement): CallChange {
  const { tenant, callId, attempt, events, settledAt } = settlement
  return {
    kind: 'settle',
    tenant,
    callId,
    attempt,
    events,
    atMs: settledAt,
    from: 'waiting',
    settlement,
  }
}

async function changeCall(
  { transaction }: { transaction: EngineTransaction },
  change: CallChange,
  writer: LogWriter,
): Promise<void> {
  const job = toJob(change)
  const row = toCallChangeRow(change)
  if ((await writer.writeIn(transaction, 'change', { row, ...job })) === undefined) {
    throw closed('cancelled')
  }
}

function toJob({ kind, work, tenant, callId }: CallChange): { job?: JobChange } {
  if (work !== undefined) return { job: { add: work, tenant, callId } }
  return kind === 'reopen' ? { job: { remove: true, callId } } : {}
}

function closed(status: Exclude<ApprovalStatus, 'pending'>): Refusal {
  return new Refusal({ kind: 'closed', status })
}

function tellOthers(engine: Engine): void {
  engine.noteWrites(2)
  engine.announce()
  engine.announce('jobs')
}

const findCallOf: Statement = {
  name: 'find_call_of_approval',
  text: `select replace(call_id::text, '-', '') from approvals where tenant = $1 and id = $2::uuid`,
}

const lockCall: Statement = {
  name: 'lock_call_to_decide',
  text: `select status, waiting_for, facts from calls where tenant = $1 and id = $2::uuid for update`,
}

const lockApproval: Statement = {
  name: 'lock_approval',
  text: `select status, revision::text, needed::text, expires_ms::text from approvals
    where tenant = $1 and id = $2::uuid for update`,
}

const findYes: Statement = {
  name: 'find_yes',
  text: `select decision from approval_decisions where tenant = $1 and approval_id = $2::uuid
    and revision = $3::int and coalesce(person, principal) = $4 and decision = 'approve'`,
}

const countYes: Statement = {
  name: 'count_yes',
  // Of a requester who is barred, the edit of another is a request, too.
  text: `select count(distinct coalesce(d.person, d.principal))::text
    from approval_decisions d join approvals a on a.tenant = d.tenant and a.id = d.approval_id
    where d.tenant = $1 and d.approval_id = $2::uuid and d.revision = $3::int
      and d.decision = 'approve' and not (d.is_edited and a.is_requester_barred)`,
}

const editCall: Statement = {
  name: 'edit_call_input',
  text: `update calls set input = $3, facts = $4 where tenant = $1 and id = $2::uuid`,
}

const editApproval: Statement = {
  name: 'edit_approval',
  text: `update approvals set revision = $3::int, preview = $4 where tenant = $1 and id = $2::uuid`,
}

const insertDecision: Statement = {
  name: 'insert_approval_decision',
  text: `insert into approval_decisions (tenant, approval_id, number, principal, decision, reason,
      is_edited, revision, at_ms, person)
    select $1, $2::uuid, 1 + (select count(*) from approval_decisions d
        where d.tenant = $1 and d.approval_id = $2::uuid), $3, $4, $5, $6::boolean, $7::int,
      $8::bigint, $9`,
}

const closeApproval: Statement = {
  name: 'close_approval',
  text: `update approvals set status = $3, decided_ms = $4::bigint
    where tenant = $1 and id = $2::uuid`,
}

const reopenApproval: Statement = {
  name: 'reopen_approval',
  text: `update approvals set status = 'pending', decided_ms = null, revision = revision + 1,
      expires_ms = $3::bigint, preview = $4
    where tenant = $1 and id = $2::uuid and status = 'approved' returning id::text`,
}

const announceAgain: Statement = {
  name: 'announce_approval_again',
  text: `insert into approval_notices (tenant, approval_id, call_id, created_ms, due_ms)
    values ($1, $2::uuid, $3::uuid, $4::bigint, $4::bigint)
    on conflict (tenant, approval_id) do update set due_ms = excluded.due_ms, tries = 0`,
}

const expireApproval: Statement = {
  name: 'expire_approval',
  text: `update approvals set status = 'expired', decided_ms = $3::bigint
    where tenant = $1 and call_id = $2::uuid and status = 'pending'`,
}
