import { type IncomingMessage, ServerResponse } from 'node:http'
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * The response class of a server that is about to stop. Once it is leaving, each answer carries
 * `Connection: close`, also to requests that came before: a client or proxy that keeps the
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
