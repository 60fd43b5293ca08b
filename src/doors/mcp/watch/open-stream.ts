import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { McpShared } from '../mcp-shared.ts'
import { holderOf, type McpRequestContext } from '../mcp-request-context.ts'
import { rpcError } from '../rpc-error.ts'
import { guardStream } from './guarded-stream.ts'
import type { StreamList } from './stream-list.ts'

interface Opening {
  shared: McpShared
  streams: StreamList
  requestContext: McpRequestContext
  body: unknown
}

/** Serves an answer that stays open: counted, and ended with its key and when the server drains. */
export async function openStream(
  { shared, streams, requestContext, body }: Opening,
  serve: () => Promise<Response>,
): Promise<Response> {
  const holder = holderOf(requestContext.caller)
  if (!streams.hasRoom(holder)) {
    return rpcError(
      { status: 429, code: -32000, message: 'Too many streams are open; close one of them' },
      body,
    )
  }
  const response = await serve()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!isStream) return response
  let leave: () => void = () => undefined
  const guarded = guardStream(response, {
    api: shared.api,
    requestContext,
    recheckMs: shared.limits.keepAliveMs,
    lastWords: toLastWords(body),
    onClose: () => leave(),
  })
  leave = streams.add(holder, guarded.end)
  return guarded.response
}

/** A subscription that the server ends is answered; the client may subscribe again. */
function toLastWords(body: unknown): string | undefined {
  if (!isRecord(body) || body['id'] === undefined) return undefined
  const meta = { [SUBSCRIPTION_ID_META_KEY]: body['id'] }
  const result = { resultType: 'complete', _meta: meta }
  const answer = { jsonrpc: '2.0', id: body['id'], result }
  return `event: message\ndata: ${JSON.stringify(answer)}\n\n`
}
