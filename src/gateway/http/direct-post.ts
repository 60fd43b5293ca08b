import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import { ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { RpcTransport, SendOptions } from '../wire/rpc-transport.ts'
import { connectionLost, isRpcMessage, type RpcMessage } from '../wire/messages.ts'
import { tooLarge } from './bounded-body.ts'
import { createEventReader } from './event-reader.ts'
import { toHeaderValue } from './header-value.ts'
import { type HttpOptions, isBeforeSending } from './http-options.ts'

type Deliver = RpcTransport['onMessage']

/** False where the message was not taken: the server wants something that only the transport can give. */
type DirectPost = (message: RpcMessage, sending: SendOptions) => Promise<boolean>

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const nameOf: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Modern requests as plain POSTs over kept connections. */
export function createDirectPost(options: HttpOptions, deliver: Deliver): DirectPost {
  const { origin, pathname, search } = new URL(options.url)
  const path = pathname + search
  const { dispatcher, auth, maxBytes } = options
  const mayPost = !(auth !== undefined && 'dpop' in auth && auth.dpop !== undefined)
  const fixed = {
    ...lowerKeys(options.headers),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = (message: RpcMessage, { headers, signal }: SendOptions, token: string | undefined) =>
    dispatcher.request({
      origin,
      path,
      method: 'POST',
      headers: {
        ...fixed,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headersOf(message),
        ...headers,
      },
      body: JSON.stringify(message),
      signal: signal ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  return async (message, sending) => {
    if (!mayPost) return false
    const token = await readToken(auth)
    const response = await post(message, sending, token).catch((error: unknown) =>
      Promise.reject(toLost(error)),
    )
    const { statusCode, body } = response
    if (isForTransport(statusCode)) return body.dump().then(() => false)
    const limit = Math.min(maxBytes, sending.maxBytes ?? maxBytes)
    await readResponse(response, { limit, message, deliver, onStreamEnd: sending.onStreamEnd })
    return true
  }
}

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  reading: Reading & Pick<SendOptions, 'onStreamEnd'>,
): Promise<void> {
  // A notification is accepted with 202 and no body; a protocol error is an answer with 400 or 404.
  if (statusCode === 202) return body.dump()
  const type = String(headers['content-type'] ?? '')
  const isAnswer = statusCode === 200 || statusCode === 400 || statusCode === 404
  if (isAnswer && type.startsWith('application/json')) return readAnswer(body, reading)
  if (!isAnswer || !type.startsWith('text/event-stream')) {
    await body.dump()
    throw refused(statusCode, type)
  }
  const end = (fault?: unknown) => reading.onStreamEnd?.(fault)
  void readEvents(body, reading).then(() => end(), end)
}

/** Sign-in and redirects: nothing was done yet, and the transport can continue. */
function isForTransport(status: number): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400)
}

function refused(status: number, type: string): ToolError {
  const what = status === 200 ? `with ${type || 'no type'} instead of JSON` : `${status}`
  return new ToolError('upstream_failed', `The server answered ${what}`, {
    retryable: status >= 500 || status === 429,
    details: { status },
  })
}

async function readToken(auth: AuthProvider | OAuthClientProvider | undefined) {
  if (auth === undefined) return undefined
  if ('tokens' in auth) return (await auth.tokens())?.access_token
  return auth.token()
}

function headersOf({ method = '', params }: RpcMessage): Record<string, string> {
  const meta = isRecord(params?.['_meta']) ? params['_meta'] : {}
  const version = meta[versionKey]
  const key = nameOf[method]
  const name = key === undefined ? undefined : params?.[key]
  return {
    'mcp-method': method,
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    ...(typeof name === 'string' && { 'mcp-name': toHeaderValue(name) }),
  }
}

type Body = Dispatcher.ResponseData['body']

interface Reading {
  limit: number
  message: RpcMessage
  deliver: Deliver
}

async function readAnswer(body: Body, { limit, message, deliver }: Reading): Promise<void> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    body.destroy()
    throw bytes > limit ? error : toLost(error)
  }
  const [only] = chunks
  const text = (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8')
  const value = parseJson(text)
  // An error that was made before the request was read has no id; it answers this one all the same.
  const answer = isRecord(value) && 'error' in value ? { ...value, id: message.id } : value
  // Of another request nothing can come on this one's stream, so nobody would ever be answered.
  if (!isRpcMessage(answer) || answer.id !== message.id) {
    throw connectionLost('it answered something else than JSON-RPC to this request', true)
  }
  deliver(answer, bytes)
}

/** Undefined for anything else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readEvents(body: Body, { limit, message, deliver }: Reading): Promise<void> {
  const decoder = new TextDecoder()
  const reader = createEventReader((data) => {
    const value: unknown = JSON.parse(data)
    if (isRpcMessage(value)) deliver(value, data.length, message.id)
  })
  for await (const chunk of body as AsyncIterable<Buffer>) {
    reader.push(decoder.decode(chunk, { stream: true }))
    if (reader.heldChars > limit) {
      body.destroy()
      throw tooLarge(limit)
    }
  }
}

function toLost(error: unknown): Error {
  if (error instanceof ToolError) return error
  const { code, message } = error as { code?: string; message?: string }
  const words = (message ?? code ?? '').slice(0, 500)
  return connectionLost(`it could not be reached: ${words}`, !isBeforeSending(error))
}

function lowerKeys(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
