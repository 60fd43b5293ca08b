import type { ApprovalPreview } from '../../approvals/approval-preview.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { Tool } from '../../kernel/tool.ts'

/**
 * Throws the error of a preview that could not be made, for tools whose every call is approved by
 * what its preview shows: nobody is asked for something that nobody can see, or that can't be done.
 */
export function requirePreview(tool: Tool, preview: ApprovalPreview | undefined): void {
  if (tool.asksEachTime === undefined || preview?.state === 'made') return
  const { code = 'internal', message = `${tool.contract.name} has no preview` } =
    preview?.error ?? {}
  throw new ToolError(code, message)
}
