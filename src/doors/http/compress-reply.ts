import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from './reply.ts'
import type { HttpRequest } from './request/http-request.ts'

const gzipAsync = promisify(gzip)
/** Below, the headers and the time weigh more than what is saved. */
const minChars = 4_096
/** A long list is a tenth of its size by this level already, in a millisecond. */
const level = 4

/**
 * A long JSON answer to a reader that takes it packed. Only what is read: pages of other sites can't
 * ask for it with somebody's cookie, so that nobody learns secrets from its length.
 */
export async function compressReply(reply: Reply, request: HttpRequest): Promise<Reply> {
  const { body, type, headers = [] } = reply
  if (request.method !== 'GET' || type !== 'application/json' || typeof body !== 'string') {
    return reply
  }
  if (body.length < minChars) return reply
  const varied = [...headers, 'vary', 'accept-encoding']
  if (!takesGzip(request.header('accept-encoding'))) return { ...reply, headers: varied }
  const packed = new Uint8Array(await gzipAsync(body, { level }))
  return { ...reply, body: packed, headers: [...varied, 'content-encoding', 'gzip'] }
}

function takesGzip(accepted: string | undefined): boolean {
  const named = accepted?.split(',').find((one) => one.trim().split(';')[0] === 'gzip')
  return named !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(named)
}
