import { ToolError } from '../kernel/errors.ts'

/** An approval, given by its id or by the result of the waiting call. */
export type ApprovalOf = string | { readonly approvalId?: string | undefined }

/** The id of an approval, given as an id or as the result of its call. */
export function approvalIdOf(approval: ApprovalOf): string {
  const id = typeof approval === 'string' ? approval : approval.approvalId
  if (typeof id === 'string' && id !== '') return id
  throw new ToolError('invalid_request', 'No approval was named: this call does not wait for one', {
    fix: "Pass the approvalId of a call whose status is 'waiting', or that call's result.",
  })
}
