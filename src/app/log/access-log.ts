import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../core/kernel/call.ts'
import { createRequestIds } from '../../doors/http/request/request-id.ts'
import type { ServerLog } from './server-log.ts'

/** Logs every request and its result. */
export interface AccessLog {
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void
  noteCaller(incoming: IncomingMessage, caller: Caller): void
}

const header = 'x-request-id'

/** Only the path is logged: tokens of sign-in and invitation links are in the query. */
export function createAccessLog(log: ServerLog): AccessLog {
  const callers = new WeakMap<IncomingMessage, Caller>()
  const toRequestId = createRequestIds()
  return {
    begin(incoming, outgoing) {
      const startedAt = performance.now()
      const given = incoming.headers[header]
      const requestId = toRequestId(typeof given === 'string' ? given : undefined)
      if (requestId !== given) nameRequest(incoming, requestId)
      outgoing.once('close', () => {
        const caller = callers.get(incoming)
        log.info('request', {
          method: incoming.method,
          path: pathOf(incoming),
          // Unanswered requests are logged with the status that proxies use.
          status: outgoing.headersSent ? outgoing.statusCode : 499,
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          requestId,
          ...(caller !== undefined && {
            tenant: caller.tenant,
            [caller.principal.kind]: caller.principal.id,
            agent: caller.agent,
          }),
        })
      })
    },
    noteCaller: (incoming, caller) => void callers.set(incoming, caller),
  }
}

/** As if the client had sent it: the door then answers with the same id. */
function nameRequest(incoming: IncomingMessage, requestId: string): void {
  incoming.headers[header] = requestId
  const { rawHeaders } = incoming
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === header) rawHeaders.splice(at, 2)
  }
  rawHeaders.push(header, requestId)
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.search(/[?#]/)
  return (end === -1 ? url : url.slice(0, end)).slice(0, 500)
}
