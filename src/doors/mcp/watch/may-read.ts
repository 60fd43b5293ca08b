import { isToolError } from '../../../core/kernel/errors.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'

/**
 * Whether this address has content for this caller. Reading it is the check, which also subscribes
 * at a server behind the gateway. An unreachable server may have it.
 */
export async function mayRead(
  { api }: Pick<McpShared, 'api'>,
  { caller, scope }: McpRequestContext,
  uri: string,
): Promise<boolean> {
  try {
    await api.readResource(caller, { uri, ...scope })
    return true
  } catch (error) {
    if (!isToolError(error)) throw error
    return !refusals.has(error.code)
  }
}

const refusals: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'invalid_request'])
