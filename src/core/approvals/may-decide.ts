import type { Caller, Principal } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'
import type { Approval, DecisionRequest } from './approval.ts'
import { isOneOf } from './askers.ts'

interface Deciding {
  caller: Caller
  request: Pick<DecisionRequest, 'decision' | 'input'>
  /** Everybody who asked for the call. */
  askers: readonly Principal[]
}

/** Throws unless this caller is one who may decide. What it says of the approval is for those who see it anyway. */
export function assertMayDecide(approval: Approval, { caller, request, askers }: Deciding): void {
  // A model that holds a key of its agent would approve what it has asked for itself.
  if (caller.agent !== undefined) {
    throw forbidden('An agent does not decide on approvals', 'Use a key that is bound to no agent.')
  }
  if (!compilePermissions(caller.permissions).has('approvals.decide')) {
    throw forbidden(
      'This needs the permission approvals.decide',
      'Use a key with the scope approvals.decide.',
    )
  }
  if (approval.isRequesterBarred) assertOtherEyes(approval, { caller, request, askers })
  const { approvers } = approval
  if (approvers === undefined || approvers.some((approver) => isApprover(approver, caller))) return
  throw forbidden(`Only ${approvers.join(', ')} may decide on this call`, 'Ask one of them.')
}

/** Neither whoever asked nor whoever wrote the input approves it, with whichever of their keys. */
function assertOtherEyes(approval: Approval, { caller, request, askers }: Deciding): void {
  const { principal, person = principal } = caller
  if (isOneOf(askers, principal) || isOneOf(askers, person)) {
    throw forbidden('Whoever asked for this call may not decide on it', 'Ask somebody else to.')
  }
  if (request.decision === 'reject' || request.input !== undefined) return
  const editors = approval.decisions
    .filter(({ isEdited, revision }) => isEdited && revision === approval.revision)
    .map((made) => made.person ?? made.by)
  if (isOneOf(editors, person)) {
    throw forbidden('Whoever edited the input may not approve it', 'Ask somebody else to.')
  }
}

function isApprover(approver: string, { principal, permissions }: Caller): boolean {
  const permission = /^permission:(.*)$/.exec(approver)?.[1]
  if (permission !== undefined) return compilePermissions(permissions).has(permission)
  return approver === `${principal.kind}:${principal.id}`
}

function forbidden(message: string, fix: string): ToolError {
  return new ToolError('forbidden', message, { fix })
}
