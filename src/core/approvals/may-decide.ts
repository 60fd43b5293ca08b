import type { Caller, Principal } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { compilePermissions } from '../policy/permissions.ts'
import type { Approval, DecisionRequest } from './approval.ts'
import { isOneOf } from './askers.ts'

interface Deciding {
  caller: Caller
  request: Pick<DecisionRequest, 'decision' | 'input'>
  /** Everyone who requested the call. */
  askers: readonly Principal[]
}

/**
 * Throws unless this caller may decide. The message reveals details of the approval only to callers
 * who can see it anyway.
 */
export function assertMayDecide(approval: Approval, { caller, request, askers }: Deciding): void {
  // A model that holds a key of its agent could otherwise approve its own request.
  if (caller.agent !== undefined) {
    throw forbidden('Agents cannot decide on approvals', 'Use a key that is not bound to an agent.')
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

/** Neither the requester nor the author of the input may approve it, with any of their keys. */
function assertOtherEyes(approval: Approval, { caller, request, askers }: Deciding): void {
  const { principal, person = principal } = caller
  if (isOneOf(askers, principal) || isOneOf(askers, person)) {
    throw forbidden(
      'The requester of this call may not decide on it',
      'Ask someone else to decide.',
    )
  }
  if (request.decision === 'reject' || request.input !== undefined) return
  const editors = approval.decisions
    .filter(({ isEdited, revision }) => isEdited && revision === approval.revision)
    .map((made) => made.person ?? made.by)
  if (isOneOf(editors, person)) {
    throw forbidden(
      'The person who edited the input may not approve it',
      'Ask someone else to approve.',
    )
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
