import type { ApprovalRule } from '../../../core/approvals/approval.ts'
import type { ApprovalStore } from '../../../core/approval-store.ts'
import type { Statement, TextRow, Value } from '../../../store/engine/engine.ts'
import { toJsonText, toStoredMs, toStoredText } from '../../../store/log/stored-text.ts'
import { parsePrefixedId } from '../../../store/log/approvals/approval-id.ts'

/** Each is compared with every call of its tool that is asked about, so there can't be any number of them. */
export const maxRulesPerTool = 500
const maxListed = 1_000

/** Remembered approvals, which hold for later calls too. */
export function createApprovalRules(
  read: (statement: Statement, values: Value[]) => Promise<TextRow[]>,
): Pick<ApprovalStore, 'listRules' | 'revokeRule'> {
  return {
    async listRules(tenant, { tool, at }) {
      const scope = [toStoredText(tenant), toStoredMs(at)]
      const rows =
        tool === undefined
          ? await read(listRules, [...scope, maxListed])
          : await read(listToolRules, [...scope, toStoredText(tool), maxRulesPerTool])
      return rows.map(toRule)
    },
    async revokeRule(tenant, id, at) {
      const uuid = parsePrefixedId('rule', id)
      if (uuid === undefined) return undefined
      const [row] = await read(revokeRule, [toStoredText(tenant), uuid, toStoredMs(at)])
      return row && toRule(row)
    },
  }
}

/** The values of `insertRule`. */
export function toRuleValues(rule: ApprovalRule): Value[] {
  return [
    toStoredText(rule.tenant),
    parsePrefixedId('rule', rule.id) ?? '',
    toStoredText(rule.tool),
    toJsonText(rule),
    Date.parse(rule.createdAt),
    Date.parse(rule.expiresAt),
    maxRulesPerTool,
  ]
}

function toRule([facts, revokedMs]: TextRow): ApprovalRule {
  const rule = JSON.parse(facts ?? '{}') as ApprovalRule
  if (revokedMs == null) return rule
  return { ...rule, revokedAt: new Date(Number(revokedMs)).toISOString() }
}

/** Hands nothing back where there are too many already. */
export const insertRule: Statement = {
  name: 'insert_approval_rule',
  text: `insert into approval_rules (tenant, id, tool, facts, created_ms, expires_ms)
    select $1, $2::uuid, $3, $4, $5::bigint, $6::bigint
    where (select count(*) from approval_rules r where r.tenant = $1 and r.tool = $3
      and r.revoked_ms is null and r.expires_ms > $5::bigint) < $7::int
    returning id::text`,
}

const listRules: Statement = {
  name: 'list_approval_rules',
  text: `select facts, revoked_ms::text from approval_rules
    where tenant = $1 and revoked_ms is null and expires_ms > $2::bigint
    order by approval_rules.id desc limit $3`,
}

const listToolRules: Statement = {
  name: 'list_approval_rules_of_tool',
  text: `select facts, revoked_ms::text from approval_rules
    where tenant = $1 and revoked_ms is null and expires_ms > $2::bigint and tool = $3
    order by approval_rules.id desc limit $4`,
}

const revokeRule: Statement = {
  name: 'revoke_approval_rule',
  text: `update approval_rules set revoked_ms = $3::bigint
    where tenant = $1 and id = $2::uuid and revoked_ms is null and expires_ms > $3::bigint
    returning facts, revoked_ms::text`,
}
