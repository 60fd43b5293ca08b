import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { folderMissing, programMissing } from '../stdio/program-ends.ts'
import { isLost } from '../wire/messages.ts'

/**
 * The failure of a server with a fix for the people who manage it; ordinary callers cannot do it.
 */
export function withWayOut(error: unknown, spec: McpServerSpec): unknown {
  if (!isToolError(error) || error.code !== 'upstream_failed' || error.fix !== undefined) {
    return error
  }
  const { code, message, retryable, issues, details } = error
  const fix = spec.command === undefined ? forAddress(error) : forProgram(message, spec)
  return new ToolError(code, message, { retryable, issues, details, fix, cause: error })
}

function forAddress(error: ToolError): string {
  return isLost(error)
    ? 'See whether it runs, and whether its address is right.'
    : 'Check that this is the address of an MCP server: many use a path such as /mcp.'
}

function forProgram(message: string, { cwd }: McpServerSpec): string {
  if (message.endsWith(folderMissing)) return `There is no folder ${cwd}: give another as its cwd.`
  return message.endsWith(programMissing)
    ? 'Look at its name, or give its full path: programs are looked for in the PATH of the Toolcrib server.'
    : 'Run the program yourself: it must wait for MCP messages on its input. Its output has the details.'
}
