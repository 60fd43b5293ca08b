import type { Api } from '../../api/client.ts'

type Approval = Api<'Approval'>
type Principal = Api<'Principal'>

/** The person looking at a request. */
export interface Decider {
  principal: Principal
  agent?: string | undefined
  holds(permission: string): boolean
}

type Asked = Pick<
  Approval,
  'requestedBy' | 'isRequesterBarred' | 'approvers' | 'decisions' | 'revision' | 'needed'
>

/** Why this person can't decide; undefined if they can. The server checks again. */
export function whyNot(approval: Asked, me: Decider): string | undefined {
  const { requestedBy, isRequesterBarred, approvers } = approval
  const isMe = ({ kind, id }: Principal) => kind === me.principal.kind && id === me.principal.id
  if (me.agent !== undefined) return 'Agents can’t decide on approvals.'
  if (!me.holds('approvals.decide')) {
    return 'You can’t decide on this. It needs someone with the permission approvals.decide.'
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

/** The people who have approved the current input. */
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
