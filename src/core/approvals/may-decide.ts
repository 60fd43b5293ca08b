import type { Caller } from '../call.ts'
import { ToolError } from '../errors.ts'
import { compilePermissions } from '../policy/permissions.ts'
import type { Approval } from './approval.ts'

/** Throws unless this caller is one who may decide. What it says of the approval is for those who see it anyway. */
export function assertMayDecide(
  approval: Approval,
  caller: Caller,
  onBehalfOf: Caller['principal'] | undefined,
): void {
  const { principal } = caller
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
  // Whoever wrote a schedule has asked for what it does.
  const askers = [approval.requestedBy.principal, ...(onBehalfOf ? [onBehalfOf] : [])]
  if (approval.isRequesterBarred && askers.some((asker) => isSame(asker, principal))) {
    throw forbidden('Whoever asked for this call may not decide on it', 'Ask somebody else to.')
  }
  const { approvers } = approval
  if (approvers === undefined || approvers.some((approver) => isApprover(approver, caller))) return
  throw forbidden(`Only ${approvers.join(', ')} may decide on this call`, 'Ask one of them.')
}

function isApprover(approver: string, { principal, permissions }: Caller): boolean {
  const permission = /^permission:(.*)$/.exec(approver)?.[1]
  if (permission !== undefined) return compilePermissions(permissions).has(permission)
  return approver === `${principal.kind}:${principal.id}`
}

function isSame(left: Caller['principal'], right: Caller['principal']): boolean {
  return left.kind === right.kind && left.id === right.id
}

function forbidden(message: string, fix: string): ToolError {
  return new ToolError('forbidden', message, { fix })
}
