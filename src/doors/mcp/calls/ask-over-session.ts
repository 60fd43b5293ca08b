import type { ServerContext } from '@modelcontextprotocol/server'
import type { ClientRequest } from '../../../core/kernel/context/caller-client.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { unable } from './pending-dialog.ts'

/** Asks a client that takes requests of its server while it waits for an answer itself. */
export function askOverSession(
  { mcpReq }: ServerContext,
  askMs: number,
): (request: ClientRequest, signal: AbortSignal) => Promise<JsonValue> {
  return async function send({ method, params }, signal) {
    try {
      const asked = { method, params: params as Record<string, unknown> }
      return (await mcpReq.send(asked, { timeout: askMs, signal })) as JsonValue
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const reason = error instanceof Error ? error.message : String(error)
      throw unable(`The client did not answer ${method}: ${reason.slice(0, 300)}`)
    }
  }
}
