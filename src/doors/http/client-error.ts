import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ToolError } from '../../core/kernel/errors.ts'
import { toProblem } from './problem.ts'

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const details: Record<number, string> = {
  400: 'This is not an HTTP request',
  408: 'The request took too long to arrive',
  413: 'The chunk extensions are too large',
  431: 'The headers are too large',
}

/**
 * Answers requests that the HTTP parser refused: headers that are too large or too slow, and bytes
 * that are not HTTP.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // An answer that has begun can't be turned into another one.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse }
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) {
    socket.destroy()
    return
  }
  const status = statuses[error.code ?? ''] ?? 400
  const body = problemText(status, new ToolError('invalid_request', details[status] ?? ''))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Answers a request that does not even reach the app. */
export function refuseBeforeApp(outgoing: ServerResponse, status: number, error: ToolError): void {
  outgoing.writeHead(status, {
    'content-type': 'application/problem+json',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  outgoing.end(problemText(status, error))
}

/** The problem as text, for the places that have no request id to name. */
export function problemText(status: number, error: ToolError): string {
  const { requestId: _, ...problem } = toProblem(error, { requestId: '', status })
  return JSON.stringify(problem)
}
