import type { DecisionResult } from './approval.ts'
import { type Issue, ToolError } from '../kernel/errors.ts'

/** Foreign, hidden and missing ids are one answer. */
export function approvalNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no approval ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib approvals lists what waits.',
  })
}

/** Why a decision was not taken. */
export function toRefusal(
  result: Exclude<DecisionResult, { kind: 'decided' }>,
  id: string,
): ToolError {
  if (result.kind === 'not_found') return approvalNotFound(id)
  if (result.kind === 'closed') return closed(result.status)
  if (result.kind === 'edited') return edited()
  if (result.kind === 'repeated') {
    return new ToolError('already_decided', 'You have approved this already; others have to, too')
  }
  return new ToolError('quota_exceeded', 'There are too many remembered approvals of this tool', {
    fix: 'Revoke some: toolcrib approvals rules lists them.',
  })
}

const closings = {
  approved: 'It was approved already',
  rejected: 'It was rejected already',
  expired: 'It has expired',
  cancelled: 'Its call has ended',
} as const

/** Too late, and why. */
export function closed(status: keyof typeof closings): ToolError {
  return new ToolError('already_decided', `${closings[status]}; nothing is left to decide`)
}

/** Decided on what is no longer there. */
export function edited(): ToolError {
  return new ToolError('already_decided', 'Somebody has edited the input since you looked at it', {
    fix: 'Look at the approval again, then decide.',
  })
}

/** There is nothing to run. */
export function toolGone(tool: string): ToolError {
  return new ToolError('tool_not_found', `${tool} is not here any more, so its call can't run`, {
    fix: 'Bring the tool back, or ask a node that has it; or reject the call.',
  })
}

/** Policy has changed since the call was asked for. */
export function nowDenied(tool: string, rule: string): ToolError {
  return new ToolError('denied', `${tool} is no longer allowed for who asked: ${rule}`, {
    fix: 'Change the policy and approve again, or reject the call.',
  })
}

/** Somebody else has to say yes to it first. */
export function editRemembered(): ToolError {
  const message = 'is not possible with an input of your own: somebody else has to approve it'
  return new ToolError('invalid_request', `remember ${message}`, {
    issues: [{ path: '/remember', message }],
    fix: 'Leave remember out.',
  })
}

/** The input that the call would run with does not fit its tool. */
export function unfit(
  tool: string,
  { issues, isEdited }: { issues: readonly Issue[]; isEdited: boolean },
): ToolError {
  const which = isEdited ? 'The edited input does not fit' : 'The input no longer fits'
  return new ToolError('invalid_input', `${which} ${tool}`, {
    issues,
    fix: 'Approve with an input that fits, or reject the call.',
  })
}
