import type { Approval, BatchAnswer } from '../../../core/approvals/approval.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import { isToolError, ToolError } from '../../../core/errors.ts'

type Approvals = Pick<
  CoreApi,
  | 'listApprovals'
  | 'findApproval'
  | 'decideApproval'
  | 'decideApprovals'
  | 'listApprovalRules'
  | 'revokeApprovalRule'
>

const waiting: Approval = {
  id: 'appr_1',
  tenant: 'default',
  callId: 'call_1',
  tool: 'billing.refund',
  input: { invoiceId: 'in_1' },
  revision: 0,
  reasons: ['billing.refund always needs approval'],
  requestedBy: { principal: { kind: 'key', id: 'owner' } },
  status: 'pending',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
  needed: 1,
  isRequesterBarred: false,
  decisions: [],
}

/** One approval that waits, and takes one decision. */
export function memoryApprovals(): Approvals {
  const approvals = new Map([[waiting.id, waiting]])
  const find: Approvals['findApproval'] = async (caller, id) => {
    const approval = approvals.get(id)
    if (approval?.tenant !== caller.tenant) throw new ToolError('not_found', `There is no ${id}`)
    return approval
  }
  const decide: Approvals['decideApproval'] = async (caller, id, { decision }) => {
    const approval = await find(caller, id)
    if (approval.status !== 'pending') throw new ToolError('already_decided', 'It was decided')
    const decided = { ...approval, status: `${decision}${decision === 'approve' ? 'd' : 'ed'}` }
    approvals.set(id, decided as Approval)
    return decided as Approval
  }
  return {
    listApprovals: async (_caller, { status }) => ({
      items: [...approvals.values()].filter((one) => status === undefined || one.status === status),
    }),
    findApproval: find,
    decideApproval: decide,
    async decideApprovals(caller, decisions) {
      const answers: BatchAnswer[] = []
      for (const { id, ...request } of decisions) {
        const answer = await decide(caller, id, request).then(
          (approval) => ({ id, approval }),
          (error: unknown) => {
            if (!isToolError(error)) throw error
            return { id, error: { code: error.code, message: error.message } }
          },
        )
        answers.push(answer)
      }
      return answers
    },
    listApprovalRules: async () => [],
    revokeApprovalRule: async (_caller, id) => {
      throw new ToolError('not_found', `There is no rule ${id}`)
    },
  }
}
