import { z } from 'zod'
import { approvalNotFound } from '../../core/approvals/approval-errors.ts'
import { approvalStatuses, type Approval } from '../../core/approvals/approval.ts'
import { decideApproval as decide } from '../../core/pipeline/approvals/decide-approval.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isInReach, isWithin } from '../../core/operations/agent-reach.ts'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { holds } from '../../core/operations/require-permission.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import type { Stores } from '../stores.ts'
import {
  approval,
  approvalRule,
  decisionAnswer,
  type DecisionAnswer,
  decisionRequest,
  decisionsRequest,
} from './schemas.ts'

/** The dependencies of the operations on approvals. */
export interface ApprovalParts extends Pick<Stores, 'approvals' | 'events' | 'now'> {
  ports: PipelinePorts
}

const define = operationsOf<ApprovalParts>('Approvals')
const params = { id: 'The id of the approval' }
const needs = 'approvals.decide'

const listApprovals = define({
  http: 'GET /api/v1/approvals',
  summary: 'List approvals',
  description:
    'Newest first by default. Without `approvals.decide`, only the approvals of your own calls.',
  needs: 'signed-in',
  agents: 'own',
  query: z.strictObject({
    status: z.enum(approvalStatuses).optional(),
    tool: shortText('Only approvals for calls of this tool').optional(),
    order: z.enum(['newest', 'oldest']).optional().meta({
      description: 'The order (newest first). A `next` is valid only in the same order',
    }),
    after: shortText('The `next` of the previous page').optional(),
    limit: pageLimit(50, 200),
  }),
  answer: { description: 'A page of approvals', schema: pageOf(approval) },
  run(query, { caller, parts: { approvals } }) {
    const { tenant, agent } = caller
    const principal = holds(caller, needs) ? undefined : caller.principal
    return approvals.list(tenant, { ...query, principal, agent })
  },
})

const findApproval = define({
  http: 'GET /api/v1/approvals/{id}',
  summary: 'Read one approval',
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: { description: 'The approval', schema: approval },
  run: ({ id }, { caller, parts }) => findVisible(caller, id, parts),
})

const decideApproval = define({
  http: 'POST /api/v1/approvals/{id}/decision',
  summary: 'Approve or reject a call',
  description:
    'An approved call runs once, on any node, with the input given here or its own. The tool, the input and policy are checked again first: if one of them no longer allows the call, the decision is refused and the approval stays pending. Needs `approvals.decide`.',
  needs: 'signed-in',
  agents: 'none',
  params,
  body: decisionRequest,
  answer: {
    description: 'The approval; still pending if more people have to approve',
    schema: approval,
  },
  refusals: {
    403: 'You may not decide it, or policy no longer allows the call',
    409: 'It was decided, edited or has expired, or its call has ended',
    422: 'The edited input does not match the schema of the tool',
  },
  async run({ id, ...request }, { caller, parts }) {
    // Callers that may not decide see only the approvals of their own calls.
    if (!holds(caller, needs)) await findVisible(caller, id, parts)
    return decide({ caller, id, request }, parts.ports)
  },
})

const decideApprovals = define({
  http: 'POST /api/v1/approvals/decisions',
  summary: 'Decide on several approvals',
  description: 'Each gets its own result: a refused decision does not stop the others.',
  needs,
  agents: 'none',
  body: decisionsRequest,
  answer: {
    description: 'An answer for each',
    schema: z.object({ items: z.array(decisionAnswer) }),
  },
  async run({ decisions }, { caller, parts: { ports } }) {
    const items: DecisionAnswer[] = []
    for (const { id, ...request } of decisions) {
      const answer = await decide({ caller, id, request }, ports).then(
        (decided) => ({ id, approval: decided }),
        (error: unknown) => ({ id, error: toCallError(error) }),
      )
      items.push(answer)
    }
    return { items }
  },
})

const listApprovalRules = define({
  http: 'GET /api/v1/approval-rules',
  summary: 'List remembered approvals',
  description: 'Rules that apply now, newest first.',
  needs: { oneOf: ['approvals.decide', 'audit.read'] },
  agents: 'own',
  query: z.strictObject({ tool: shortText('Only rules for calls of this tool').optional() }),
  answer: { description: 'The rules', schema: z.object({ items: z.array(approvalRule) }) },
  async run({ tool }, { caller, parts: { approvals, now } }) {
    const rules = await approvals.listRules(caller.tenant, { tool, at: now() })
    return { items: rules.filter((rule) => isWithin(caller, rule.agent)) }
  },
})

const revokeApprovalRule = define({
  http: 'DELETE /api/v1/approval-rules/{id}',
  summary: 'Revoke a remembered approval',
  description: 'Calls that it covered need approval again from now on.',
  needs,
  agents: 'none',
  params: { id: 'The id of the rule' },
  async run({ id }, { caller, parts: { approvals, events, now } }) {
    const { tenant, principal } = caller
    const rule = await approvals.revokeRule(tenant, id, now())
    if (rule === undefined) throw ruleNotFound(id)
    const data = { ruleId: rule.id, tool: rule.tool, approvalId: rule.approvalId }
    const event = { type: 'approval.rule_revoked' as const, at: now(), data }
    await events.record([{ tenant, principal, events: [event] }])
  },
})

/** Everything that can be done with approvals, by library method. */
export const approvalOperations = {
  listApprovals,
  findApproval,
  decideApproval,
  decideApprovals,
  listApprovalRules,
  revokeApprovalRule,
}

async function findVisible(
  caller: Caller,
  id: string,
  { approvals }: ApprovalParts,
): Promise<Approval> {
  const found = await approvals.find(caller.tenant, id)
  if (found === undefined || !maySee(caller, found)) throw approvalNotFound(id)
  return found
}

/** Without `approvals.decide` a caller sees what its own calls wait for. */
function maySee(caller: Caller, { requestedBy }: Approval): boolean {
  if (!isInReach(caller, requestedBy)) return false
  return isSamePrincipal(requestedBy.principal, caller.principal) || holds(caller, needs)
}

function ruleNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no rule ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib approvals rules lists them.',
  })
}
