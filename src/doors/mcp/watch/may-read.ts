import { isToolError } from '../../../core/kernel/errors.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'

/**
 * Is there something under this address for this caller? Found by reading it, which also makes a
 * server behind the gateway tell of it. One that can't be reached now may have it.
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
