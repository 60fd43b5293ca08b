import {
  type ProblemFixes,
  toProblemError as readProblemError,
} from '../../../core/client/problem-error.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { FetchLike } from '../environment.ts'
import { readSse, type SseMessage } from '../../../core/client/read-sse.ts'

export type Query = Readonly<Record<string, string | number | undefined>>

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Query
  body?: unknown
  /** A body that is not JSON. */
  bytes?: { type: string; content: Uint8Array | Blob }
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/** The HTTP API of one server. Every refusal is a ToolError with the code that the server gave. */
export interface HttpClient {
  readonly url: string
  /** The raw answer, if its status is below 400. `path` begins after `/api/v1`. */
  send(path: string, request?: ApiRequest): Promise<Response>
  read<T>(path: string, request?: ApiRequest): Promise<T>
  /** Every item of a list, page after page. */
  all<T>(path: string, query?: Query): Promise<T[]>
  stream(path: string, request?: ApiRequest): Promise<AsyncIterable<SseMessage>>
  /** A request outside of the API, such as to `/mcp`: the raw answer, whatever its status. */
  pass(path: string, init: RequestInit): Promise<Response>
}

/** Builds a client for the server at `url`. */
export function createClient(options: {
  fetch: FetchLike
  url: string
  key: string
  /** Act in this tenant. */
  tenant?: string
}): HttpClient {
  const url = options.url.replace(/\/+$/, '')
  const send: HttpClient['send'] = async (path, request = {}) => {
    const target = `${url}/api/v1${path}${toQueryText(request.query)}`
    const response = await reach(options.fetch, target, toRequestInit(request, options))
    if (response.status >= 400) throw toProblemError(await readProblem(response), response.status)
    return response
  }
  const read = async <T>(path: string, request?: ApiRequest): Promise<T> =>
    (await readJson(await send(path, request))) as T
  return {
    url,
    send,
    read,
    all: (path, query) => readAll(read, path, query),
    stream: async (path, request = {}) =>
      readStream(
        await send(path, {
          ...request,
          headers: { ...request.headers, accept: 'text/event-stream' },
        }),
      ),
    pass(path, init) {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${options.key}`)
      if (options.tenant !== undefined) headers.set('toolcrib-tenant', options.tenant)
      return options.fetch(`${url}${path}`, { ...init, headers })
    },
  }
}

/** The messages of an answer that may be an event stream; a broken connection is a coded error. */
export async function* readStream(response: Response): AsyncGenerator<SseMessage> {
  if (response.body === null) return
  try {
    yield* readSse(response.body as ReadableStream<Uint8Array>)
  } catch (error) {
    if (isAbort(error)) throw error
    throw toUnreachable(response.url, error)
  }
}

/** The JSON of an answer; something that is not JSON comes from another server than ours. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ToolError('server_unreachable', `${response.url} did not answer with JSON.`, {
      fix: 'Check that --url points to a Toolcrib server.',
      cause: error,
    })
  }
}

/** True for what a fetch throws when its signal was aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}

async function readAll<T>(read: HttpClient['read'], path: string, query: Query = {}): Promise<T[]> {
  const items: T[] = []
  let after: string | undefined
  for (;;) {
    const page: { items: T[]; next?: string } = await read(path, {
      query: after === undefined ? query : { ...query, after },
    })
    items.push(...page.items)
    // A cursor that does not move would repeat the page for ever.
    if (page.next === undefined || page.next === after) return items
    after = page.next
  }
}

async function reach(fetch: FetchLike, target: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(target, init)
  } catch (error) {
    if (isAbort(error)) throw error
    throw toUnreachable(new URL(target).origin, error)
  }
}

function toUnreachable(where: string, error: unknown): ToolError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ToolError('server_unreachable', `The connection to ${where} failed: ${reason}`, {
    fix: 'Check that the server runs and that the address is right, then try again.',
    cause: error,
  })
}

function toQueryText(query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

function toRequestInit(
  request: ApiRequest,
  { key, tenant }: { key: string; tenant?: string },
): RequestInit {
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    authorization: `Bearer ${key}`,
    ...(tenant !== undefined && { 'toolcrib-tenant': tenant }),
    ...request.headers,
  }
  const init: RequestInit = { method: request.method ?? 'GET', headers }
  if (request.signal !== undefined) init.signal = request.signal
  if (request.bytes !== undefined) {
    headers['content-type'] = request.bytes.type
    const { content } = request.bytes
    init.body = content instanceof Blob ? content : new Uint8Array(content)
  }
  if (request.body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(request.body)
  }
  return init
}

/** The error that a problem document describes, with a fix for this command line. */
export function toProblemError(
  problem: Readonly<Record<string, unknown>>,
  status: number,
): ToolError {
  return readProblemError(problem, status, fixes)
}

const fixes: ProblemFixes = {
  unauthorized: 'Set TOOLCRIB_KEY to a valid key (toolcrib keys create creates one).',
  forbidden: 'Use a key with the scope that this needs (toolcrib keys create --scope …).',
  rate_limited: 'Wait a moment and try again.',
  shutting_down: 'Wait until the server has restarted, then try again.',
}

async function readProblem(response: Response): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await response.text())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
