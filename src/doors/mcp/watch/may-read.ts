import { isToolError } from '../../../core/errors.ts'
import type { McpDesk } from '../mcp-desk.ts'
import type { McpVisit } from '../mcp-visit.ts'

/**
 * Is there something under this address for this caller? Found by reading it, which also makes a
 * server behind the gateway tell of it. One that can't be reached now may have it.
 */
export async function mayRead(
  { api }: Pick<McpDesk, 'api'>,
  { caller, face }: McpVisit,
  uri: string,
): Promise<boolean> {
  try {
    await api.readResource(caller, { uri, ...face })
    return true
  } catch (error) {
    if (!isToolError(error)) throw error
    return !refusals.has(error.code)
  }
}

const refusals: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'invalid_request'])
