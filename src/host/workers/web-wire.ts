import type { Web, WebRequest } from '../../core/kernel/context/web.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { toPage } from '../../core/net/page-text.ts'

/** A request of a tool in a worker. Its body is bytes: streams do not cross threads. */
interface SentRequest {
  url: string
  method: string
  headers: readonly (readonly [string, string])[]
  body: Uint8Array | undefined
  options: Pick<WebRequest, (typeof options)[number]>
}

/** The response to a worker. */
interface SentResponse {
  url: string
  redirected: boolean
  status: number
  statusText: string
  headers: readonly (readonly [string, string])[]
  bytes: Uint8Array
}

const options = ['timeoutMs', 'maxBytes', 'retries', 'redirect'] as const

/** `ctx.web` of a tool in a worker. `send` asks the main thread, which has the guard. */
export function createWorkerWeb(send: (request: SentRequest) => Promise<unknown>): Web {
  async function fetch(input: string | URL | Request, request: WebRequest = {}): Promise<Response> {
    const sent = await toSent(input, request)
    const answer = await untilAborted(send(sent), request.signal ?? undefined)
    return toResponse(answer as SentResponse)
  }
  return {
    fetch,
    async readPage(url, request) {
      const response = await fetch(url, request)
      return toPage(response, new Uint8Array(await response.arrayBuffer()))
    },
  }
}

/** Answers a worker, on the main thread. A tool's code wrote the request, so its form is checked. */
export async function sendForWorker(web: Web, given: unknown): Promise<SentResponse> {
  const { url, method, headers, body, options: limits } = isRecord(given) ? given : {}
  if (typeof url !== 'string' || typeof method !== 'string' || !Array.isArray(headers)) {
    throw new TypeError('The request of a worker is malformed')
  }
  const response = await web.fetch(url, {
    ...pickLimits(isRecord(limits) ? limits : {}),
    method,
    headers: headers as [string, string][],
    ...(body instanceof Uint8Array && { body: new Uint8Array(body) }),
  })
  const { status, statusText, redirected } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    url: response.url,
    redirected,
    status,
    statusText,
    headers: [...response.headers],
    bytes,
  }
}

async function toSent(input: string | URL | Request, request: WebRequest): Promise<SentRequest> {
  const { signal: _signal, ...init } = request
  const whole = new Request(input, { ...init, duplex: 'half' })
  const body = whole.body === null ? undefined : new Uint8Array(await whole.arrayBuffer())
  const { url, method, headers } = whole
  return { url, method, headers: [...headers], body, options: pickLimits({ ...request }) }
}

function pickLimits(given: Readonly<Record<string, unknown>>): SentRequest['options'] {
  const kept = options.filter((name) => given[name] !== undefined)
  return Object.fromEntries(kept.map((name) => [name, given[name]]))
}

function toResponse({ url, redirected, bytes, ...init }: SentResponse): Response {
  const isEmpty = init.status === 204 || init.status === 205 || init.status === 304
  const headers = init.headers.map(([name, value]): [string, string] => [name, value])
  const response = new Response(isEmpty ? null : new Uint8Array(bytes), { ...init, headers })
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
  })
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
