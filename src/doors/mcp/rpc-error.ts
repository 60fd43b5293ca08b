import { isRecord } from '../../core/kernel/json/json-type.ts'

interface Refusal {
  status: number
  code: number
  message: string
  data?: unknown
}

/** A refusal in the words of JSON-RPC, with the id of the request it is about where that is known. */
export function rpcError({ status, code, message, data }: Refusal, body?: unknown): Response {
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
