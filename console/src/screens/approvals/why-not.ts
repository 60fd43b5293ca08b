import type { Api } from '../../api/client.ts'

type Approval = Api<'Approval'>
type Principal = Api<'Principal'>

/** Whoever looks at a request. */
export interface Decider {
  principal: Principal
  agent?: string | undefined
  holds(permission: string): boolean
}

type Asked = Pick<
  Approval,
  'requestedBy' | 'isRequesterBarred' | 'approvers' | 'decisions' | 'revision' | 'needed'
>

/** Why this person can't decide on it; undefined when they can. The server has the last word. */
export function whyNot(approval: Asked, me: Decider): string | undefined {
  const { requestedBy, isRequesterBarred, approvers } = approval
  const isMe = ({ kind, id }: Principal) => kind === me.principal.kind && id === me.principal.id
  if (me.agent !== undefined) return 'Agents can’t decide on approvals.'
  if (!me.holds('approvals.decide')) {
    return 'You can’t approve this. Someone with the permission approvals.decide has to.'
  }
  if (isRequesterBarred && isMe(requestedBy.principal)) {
    return 'You requested this call, so someone else has to decide.'
  }
  if (approvers !== undefined && !approvers.some((approver) => isApprover(approver, me))) {
    return `Only ${approvers.join(', ')} can decide.`
  }
  const yes = saidYes(approval)
  if (!yes.some(isMe)) return undefined
  const missing = approval.needed - yes.length
  return `You approved this. ${missing === 1 ? '1 more approval is' : `${missing} more approvals are`} needed.`
}

/** Who has said yes to the input as it is now. */
export function saidYes({
  decisions,
  revision,
}: Pick<Approval, 'decisions' | 'revision'>): Principal[] {
  return decisions
    .filter((one) => one.decision === 'approve' && one.revision === revision)
    .map(({ by }) => by)
}

function isApprover(approver: string, { principal, holds }: Decider): boolean {
  const permission = /^permission:(.*)$/s.exec(approver)?.[1]
  if (permission !== undefined) return holds(permission)
  return approver === `${principal.kind}:${principal.id}`
}
