import type { OutboxMessage } from '../../../core/approvals/approval.ts'
import type { ApprovalStore } from '../../../core/approval-store.ts'
import type { Statement, TextRow, Value } from '../../../store/engine/engine.ts'
import { toCallId } from '../../../store/log/call-id.ts'
import { toStoredMs, toStoredText } from '../../../store/log/stored-text.ts'
import { parsePrefixedId, toPrefixedId } from '../../../store/log/approvals/approval-id.ts'

/**
 * Approvals that still have to be announced outside. A row stays until that is done, so a crash in
 * between repeats a message but never loses one.
 */
export function createApprovalOutbox({
  read,
  now,
}: {
  read: (statement: Statement, values: Value[]) => Promise<TextRow[]>
  now(): number
}): Pick<ApprovalStore, 'claimOutbox' | 'endOutboxMessage' | 'delayOutboxMessage'> {
  const idOf = ({ tenant, approvalId }: OutboxMessage) => [
    toStoredText(tenant),
    parsePrefixedId('appr', approvalId) ?? '0'.repeat(32),
  ]
  return {
    async claimOutbox(limit, leaseMs) {
      const at = now()
      const rows = await read(claimOutbox, [at, limit, at + leaseMs])
      return rows.map(toNotice)
    },
    async endOutboxMessage(notice) {
      await read(endOutboxMessage, idOf(notice))
    },
    async delayOutboxMessage(notice, until) {
      await read(delayOutboxMessage, [...idOf(notice), toStoredMs(until), notice.tries])
    },
  }
}

function toNotice([tenant, approvalId, callId, tries, createdMs]: TextRow): OutboxMessage {
  return {
    tenant: tenant ?? '',
    approvalId: toPrefixedId('appr', approvalId ?? ''),
    callId: toCallId(callId ?? ''),
    tries: Number(tries),
    createdAt: Number(createdMs),
  }
}

const claimOutbox: Statement = {
  name: 'claim_approval_notices',
  text: `update approval_notices n set tries = n.tries + 1, due_ms = $3::bigint
    from (select tenant, approval_id from approval_notices where due_ms <= $1::bigint
      order by due_ms limit $2 for update skip locked) due
    where n.tenant = due.tenant and n.approval_id = due.approval_id
    returning n.tenant, n.approval_id::text, n.call_id::text, n.tries::text, n.created_ms::text`,
}

const endOutboxMessage: Statement = {
  name: 'end_approval_notice',
  text: `delete from approval_notices where tenant = $1 and approval_id = $2::uuid`,
}

/** Not if another node holds it. */
const delayOutboxMessage: Statement = {
  name: 'delay_approval_notice',
  text: `update approval_notices set due_ms = $3::bigint
    where tenant = $1 and approval_id = $2::uuid and tries = $4::int`,
}
