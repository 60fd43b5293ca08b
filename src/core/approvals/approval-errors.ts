import type { DecisionResult } from './approval.ts'
import { type Issue, ToolError } from '../kernel/errors.ts'

/** The same answer for foreign, hidden and missing ids. */
export function approvalNotFound(id: string): ToolError {
  return new ToolError('not_found', `There is no approval ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib approvals lists pending approvals.',
  })
}

/** The error for a decision that was refused. */
export function toRefusal(
  result: Exclude<DecisionResult, { kind: 'decided' }>,
  id: string,
): ToolError {
  if (result.kind === 'not_found') return approvalNotFound(id)
  if (result.kind === 'closed') return closed(result.status)
  if (result.kind === 'edited') return edited()
  if (result.kind === 'repeated') {
    return new ToolError(
      'already_decided',
      'You have already approved this; other approvers are still needed',
    )
  }
  return new ToolError('quota_exceeded', 'There are too many remembered approvals for this tool', {
    fix: 'Revoke some: toolcrib approvals rules lists them.',
  })
}

const closings = {
  approved: 'It has already been approved',
  rejected: 'It has already been rejected',
  expired: 'It has expired',
  cancelled: 'Its call has ended',
} as const

/** The error for a decision that came too late. */
export function closed(status: keyof typeof closings): ToolError {
  return new ToolError('already_decided', `${closings[status]}; there is nothing left to decide`)
}

/** The decision was made on an outdated input. */
export function edited(): ToolError {
  return new ToolError('already_decided', 'Someone has edited the input since you looked at it', {
    fix: 'Review the approval again, then decide.',
  })
}

/** The decision was made on an outdated preview. */
export function previewChanged(tool: string): ToolError {
  return new ToolError(
    'preview_changed',
    `The changes that ${tool} would make are not those that you looked at`,
    { fix: 'Review the approval again, then decide.' },
  )
}

/** There is no tool to run. */
export function toolGone(tool: string): ToolError {
  return new ToolError(
    'tool_not_found',
    `${tool} no longer exists on this server, so its call can't run`,
    {
      fix: 'Restore the tool, or ask a node that has it; or reject the call.',
    },
  )
}

/** Policy has changed since the call was requested. */
export function nowDenied(tool: string, rule: string): ToolError {
  return new ToolError('denied', `${tool} is no longer allowed for the caller who asked: ${rule}`, {
    fix: 'Change the policy and approve again, or reject the call.',
  })
}

/** Someone else has to approve it first. */
export function editRemembered(): ToolError {
  const message = 'is not possible with an edited input: someone else has to approve it'
  return new ToolError('invalid_request', `remember ${message}`, {
    issues: [{ path: '/remember', message }],
    fix: 'Leave remember out.',
  })
}

/** For tools whose every change is decided by itself. */
export function neverRemembered(tool: string): ToolError {
  const message = `is not possible for ${tool}: every call of it needs its own approval`
  return new ToolError('invalid_request', `remember ${message}`, {
    issues: [{ path: '/remember', message }],
    fix: 'Leave remember out.',
  })
}

/** The input that the call would run with does not match the tool's schema. */
export function unfit(
  tool: string,
  { issues, isEdited }: { issues: readonly Issue[]; isEdited: boolean },
): ToolError {
  const which = isEdited
    ? 'The edited input does not match the schema of'
    : 'The input no longer matches the schema of'
  return new ToolError('invalid_input', `${which} ${tool}`, {
    issues,
    fix: 'Approve with a valid input, or reject the call.',
  })
}
