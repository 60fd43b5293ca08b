import { ToolError } from '../../core/errors.ts'
import type { Tool } from '../../core/tool.ts'

/** Refused where the author sees it, rather than when the first caller waits for ever. */
export function assertRunnable(tool: Tool): void {
  if (tool.contract.execution !== 'external') return
  throw new ToolError(
    'invalid_tool',
    `${tool.contract.name}: execution 'external' is not available in this version`,
    {
      fix: "Use 'inline' or 'background'.",
    },
  )
}
