import { isRecord } from '../../core/schema/json/json-type.ts'

/** A refusal in the words of JSON-RPC, with the id of the request it is about where that is known. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  ...[body, data]: [body?: unknown, data?: unknown]
): Response {
  const id = isRecord(body) ? body['id'] : undefined
  const isId = typeof id === 'string' || typeof id === 'number'
  return Response.json(
    {
      jsonrpc: '2.0',
      error: { code, message, ...(data !== undefined && { data }) },
      id: isId ? id : null,
    },
    { status },
  )
}
