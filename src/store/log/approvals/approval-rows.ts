import type {
  Approval,
  ApprovalDecision,
  ApprovalStatus,
} from '../../../core/approvals/approval.ts'
import type { ApprovalPreview } from '../../../core/approvals/approval-preview.ts'
import type { CallStart } from '../../../core/call-log.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import type { Statement, TextRow, Value } from '../../engine/engine.ts'
import { requireCallId, toCallId } from '../call-id.ts'
import { parsePrincipal, toPrincipalText } from '../principal-text.ts'
import { toJsonText, toStoredMs, toStoredText } from '../stored-text.ts'
import { parsePrefixedId, toPrefixedId } from './approval-id.ts'

/** The columns that `toApproval` reads, in its order, of `approvals a` joined with `calls c`. */
export const approvalSelection = `a.tenant, a.id::text, a.call_id::text, a.tool, a.principal, a.status,
  a.revision::text, a.reasons, a.needed::text, a.approvers, a.is_requester_barred::text,
  a.created_ms::text, a.expires_ms::text, a.decided_ms::text, c.agent, c.session_id, c.input,
  (select json_agg(json_build_array(d.principal, d.decision, d.at_ms, d.reason, d.is_edited,
      d.revision, d.person) order by d.number)
    from approval_decisions d where d.tenant = a.tenant and d.approval_id = a.id)::text, a.preview`

/** Where the selection comes from. */
export const approvalSource = `approvals a join calls c on c.tenant = a.tenant and c.id = a.call_id`

/** A stored approval as everybody gets it. Absent stays absent, so that two readings are equal. */
export function toApproval(row: TextRow): Approval {
  const text = (index: number) => row[index] ?? ''
  const approval: Approval = {
    id: toPrefixedId('appr', text(1)),
    tenant: text(0),
    callId: toCallId(text(2)),
    tool: text(3),
    input: JSON.parse(text(16)) as JsonValue,
    revision: Number(row[6]),
    reasons: JSON.parse(text(7)) as string[],
    requestedBy: { principal: parsePrincipal(text(4)) },
    status: text(5) as ApprovalStatus,
    createdAt: toIso(row[11]),
    expiresAt: toIso(row[12]),
    needed: Number(row[8]),
    isRequesterBarred: row[10] === 'true',
    decisions: row[17] == null ? [] : (JSON.parse(row[17]) as DecisionRow[]).map(toDecision),
  }
  if (row[9] != null) approval.approvers = JSON.parse(row[9]) as string[]
  if (row[13] != null) approval.decidedAt = toIso(row[13])
  if (row[14] != null) approval.requestedBy.agent = row[14]
  if (row[15] != null) approval.sessionId = row[15]
  if (row[18] != null) approval.preview = JSON.parse(row[18]) as ApprovalPreview
  return approval
}

type DecisionRow = [
  by: string,
  decision: 'approve' | 'reject',
  at: number,
  reason: string | null,
  isEdited: boolean,
  revision: number,
  person: string | null,
]

function toDecision(row: DecisionRow): ApprovalDecision {
  const [by, decision, at, reason, isEdited, revision, person] = row
  const made: ApprovalDecision = {
    by: parsePrincipal(by),
    ...(person !== null && { person: parsePrincipal(person) }),
    decision,
    at: toIso(at),
    isEdited,
    revision,
  }
  return reason === null ? made : { ...made, reason }
}

function toIso(ms: string | number | null | undefined): string {
  return new Date(Number(ms)).toISOString()
}

export const insertApproval: Statement = {
  name: 'insert_approval',
  text: `insert into approvals (tenant, id, call_id, tool, principal, status, reasons, needed,
      approvers, is_requester_barred, created_ms, expires_ms, preview)
    values ($1, $2::uuid, $3::uuid, $4, $5, 'pending', $6, $7::int, $8, $9::boolean, $10::bigint,
      $11::bigint, $12)`,
}

export const insertOutboxMessage: Statement = {
  name: 'insert_approval_notice',
  text: `insert into approval_notices (tenant, approval_id, call_id, created_ms, due_ms)
    values ($1, $2::uuid, $3::uuid, $4::bigint, $4::bigint)`,
}

/** The values of the two statements above, for a call that waits for an approval. */
export function toNewApproval(
  start: CallStart,
  approval: NonNullable<CallStart['approval']>,
): { approval: Value[]; notice: Value[] | undefined } {
  const tenant = toStoredText(start.tenant)
  const id = parsePrefixedId('appr', approval.id) ?? ''
  const callId = requireCallId(start.callId)
  const createdMs = toStoredMs(start.requestedAt)
  const values = [
    tenant,
    id,
    callId,
    toStoredText(start.tool),
    toPrincipalText(start.principal),
    toJsonText(approval.reasons),
    approval.needed,
    approval.approvers === undefined ? null : toJsonText(approval.approvers),
    String(approval.isRequesterBarred),
    createdMs,
    toStoredMs(approval.expiresAt),
    approval.preview === undefined ? null : toJsonText(approval.preview),
  ]
  return {
    approval: values,
    notice: approval.isAnnounced ? [tenant, id, callId, createdMs] : undefined,
  }
}
