import { isSamePrincipal } from '../../core/caller.ts'
import type { Approval, DecisionRequest } from '../../core/approvals/approval.ts'
import { approvalNotFound } from '../../core/approvals/approval-errors.ts'
import { decideApproval } from '../../core/approvals/decide-approval.ts'
import type { Caller } from '../../core/call.ts'
import type { CribApi } from '../../features/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Store } from '../../core/ports.ts'
import { isInReach, isWithin } from '../../core/operations/agent-reach.ts'
import { holds, requireOneOf, requirePermission } from '../../core/operations/require-permission.ts'

type ApprovalAccess = Pick<
  CribApi,
  | 'listApprovals'
  | 'findApproval'
  | 'decideApproval'
  | 'decideApprovals'
  | 'listApprovalRules'
  | 'revokeApprovalRule'
>

const maxBatch = 100
const maxReasonChars = 2_000

/** What waits for people, and their word on it. Without `approvals.decide` a principal sees what its own calls wait for. */
export function createApprovalAccess({
  store,
  ports,
}: {
  store: Pick<Store, 'now' | 'approvals' | 'events'>
  ports: PipelinePorts
}): ApprovalAccess {
  const { approvals } = store
  async function find(caller: Caller, id: string): Promise<Approval> {
    const approval = await approvals.find(caller.tenant, id)
    if (approval === undefined || !maySee(caller, approval)) throw approvalNotFound(id)
    return approval
  }
  async function decide(caller: Caller, id: string, request: DecisionRequest): Promise<Approval> {
    assertWellFormed(request)
    await find(caller, id)
    return decideApproval({ caller, id, request }, ports)
  }
  return {
    async listApprovals(caller, query) {
      const own = holds(caller, 'approvals.decide') ? {} : { principal: caller.principal }
      const { agent } = caller
      const bound = agent === undefined ? {} : { agent }
      return approvals.list(caller.tenant, { ...query, ...own, ...bound })
    },
    findApproval: find,
    decideApproval: decide,
    async decideApprovals(caller, decisions) {
      requirePermission(caller, 'approvals.decide')
      if (decisions.length > maxBatch) throw tooMany(decisions.length)
      const answers = []
      for (const { id, ...request } of decisions) {
        const answer = await decide(caller, id, request).then(
          (approval) => ({ id, approval }),
          (error: unknown) => ({ id, error: toCallError(error) }),
        )
        answers.push(answer)
      }
      return answers
    },
    async listApprovalRules(caller, { tool } = {}) {
      requireOneOf(caller, ['approvals.decide', 'audit.read'])
      const rules = await approvals.listRules(caller.tenant, { tool, at: store.now() })
      return rules.filter((rule) => isWithin(caller, rule.agent))
    },
    async revokeApprovalRule(caller, id) {
      requirePermission(caller, 'approvals.decide')
      const rule = await approvals.revokeRule(caller.tenant, id, store.now())
      if (rule === undefined) throw ruleNotFound(id)
      const { tenant, principal } = caller
      const data = { ruleId: rule.id, tool: rule.tool, approvalId: rule.approvalId }
      const event = { type: 'approval.rule_revoked' as const, at: store.now(), data }
      await store.events.record([{ tenant, principal, events: [event] }])
    },
  }
}

function maySee(caller: Caller, { requestedBy }: Approval): boolean {
  if (!isInReach(caller, requestedBy)) return false
  const isOwn = isSamePrincipal(requestedBy.principal, caller.principal)
  return isOwn || holds(caller, 'approvals.decide')
}

/** The reason is stored, and read by a model. */
function assertWellFormed({ reason }: DecisionRequest): void {
  if (reason === undefined) return
  if (reason.length > maxReasonChars || reason.includes('\0') || !reason.isWellFormed()) {
    const message = `must be a text of at most ${maxReasonChars} characters`
    throw new ToolError('invalid_request', `reason ${message}`, {
      issues: [{ path: '/reason', message }],
    })
  }
}

function tooMany(count: number): ToolError {
  return new ToolError('invalid_request', `${count} decisions are too many for one request`, {
    fix: `Send at most ${maxBatch} at once.`,
  })
}

function ruleNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no rule ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib approvals rules lists them.',
  })
}
