import { toProblemError } from '../../core/client/problem-error.ts'
import { ToolError } from '../../core/errors.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'

/** Where a crib is, and the key that opens it. */
export interface CribAddress {
  url: string
  key: string
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch
}

export interface CribRequest {
  method?: 'GET' | 'POST'
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** Asking twice does no harm: a connection that breaks is tried again. */
  isRepeatable?: boolean
}

/** The HTTP API of a crib. Refusals are ToolErrors with the code that the server gave. */
export interface CribClient {
  /** `path` begins after `/api/v1`. */
  send(path: string, request?: CribRequest): Promise<Response>
}

const maxTries = 3
const firstDelayMs = 100

/** A client for the crib at this address. */
export function createCribClient({ url, key, fetch = globalThis.fetch }: CribAddress): CribClient {
  const root = `${url.replace(/\/+$/, '')}/api/v1`
  return {
    async send(path, request = {}) {
      const target = `${root}${path}${toQuery(request.query)}`
      const init = toInit(request, key)
      const tries = request.isRepeatable === true ? maxTries : 1
      for (let attempt = 1; ; attempt += 1) {
        const answer = await reach(fetch, target, init)
        if (answer instanceof Response && answer.status < 400) return answer
        const error = answer instanceof Response ? await readError(answer) : answer
        if (!mayRetry(error) || attempt >= tries || request.signal?.aborted) throw error
        await new Promise((resolve) => setTimeout(resolve, firstDelayMs * 2 ** (attempt - 1)))
      }
    },
  }
}

/** A server that is gone for a moment; what it has refused, it refuses again. */
function mayRetry({ code }: ToolError): boolean {
  return code === 'server_unreachable' || code === 'shutting_down' || code === 'store_unavailable'
}

async function reach(
  fetch: typeof globalThis.fetch,
  target: string,
  init: RequestInit,
): Promise<Response | ToolError> {
  try {
    return await fetch(target, init)
  } catch (error) {
    if (init.signal?.aborted) return new ToolError('cancelled', 'The request was given up')
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new ToolError('server_unreachable', `The crib can not be reached: ${reason}`, {
      fix: 'Check that the server runs and that the address is right.',
      cause: error,
    })
  }
}

async function readError(response: Response): Promise<ToolError> {
  try {
    const problem: unknown = JSON.parse(await response.text())
    return toProblemError(isRecord(problem) ? problem : {}, response.status)
  } catch {
    return toProblemError({}, response.status)
  }
}

function toQuery(query: CribRequest['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

function toInit({ method = 'GET', body, headers, signal }: CribRequest, key: string): RequestInit {
  return {
    method,
    headers: {
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
}
