import { type IncomingMessage, ServerResponse } from 'node:http'
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * The class of answers of a server that will stop. Once it is leaving, each answer says
 * `Connection: close`, also one whose request came before: a client or proxy that keeps the
 * connection would send its next request into a closing socket, and may not repeat it.
 */
export function createPartingResponse(state: {
  readonly isLeaving: boolean
}): typeof ServerResponse {
  return class PartingResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      if (state.isLeaving) this.shouldKeepAlive = false
      return super.writeHead(status, reason as string, headers)
    }
  }
}
