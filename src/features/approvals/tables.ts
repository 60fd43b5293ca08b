import type { Generated } from 'kysely'
import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

type JsonText = string

export interface ApprovalsTable {
  tenant: string
  id: string
  call_id: string
  tool: string
  /** The principal that asked for the call; the call has the rest. */
  principal: string
  status: string
  revision: Generated<number>
  reasons: JsonText
  needed: number
  approvers: JsonText | null
  is_requester_barred: boolean
  created_ms: number
  expires_ms: number
  decided_ms: number | null
  preview: Generated<JsonText | null>
}

export interface ApprovalDecisionsTable {
  tenant: string
  approval_id: string
  number: number
  principal: string
  decision: string
  reason: string | null
  is_edited: boolean
  revision: number
  at_ms: number
  person: Generated<string | null>
}

export interface ApprovalRulesTable {
  tenant: string
  id: string
  tool: string
  /** The rule itself, whole. */
  facts: JsonText
  created_ms: number
  expires_ms: number
  revoked_ms: number | null
}

/** Announcements of approvals that are still to be sent. */
export interface ApprovalNoticesTable {
  tenant: string
  approval_id: string
  call_id: string
  tries: Generated<number>
  created_ms: number
  due_ms: number
}

/** Calls that wait for people, their decisions, and what is remembered of them. */
export interface ApprovalTables {
  approvals: ApprovalsTable
  approval_decisions: ApprovalDecisionsTable
  approval_rules: ApprovalRulesTable
  approval_notices: ApprovalNoticesTable
}

export const approvalTables: readonly TableSpec<keyof ApprovalTables>[] = [
  { name: 'approval_notices', key: ['tenant', 'approval_id'], page: 1_000 },
  { name: 'approval_rules', key: ['tenant', 'id'], page: 1_000 },
  { name: 'approval_decisions', key: ['tenant', 'approval_id', 'number'], page: 1_000 },
  { name: 'approvals', key: ['tenant', 'id'], page: 1_000 },
]
