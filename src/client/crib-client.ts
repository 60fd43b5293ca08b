import { toProblemError } from '../core/client/problem-error.ts'
import { isToolError, ToolError } from '../core/kernel/errors.ts'
import { isRecord } from '../core/kernel/json/json-type.ts'

/** The address of a Toolcrib server, and the key for it. */
export interface CribAddress {
  /** As `toolcrib start` prints it, such as http://127.0.0.1:4680; with the base path, where it has one. */
  url: string
  /** An API key, or a function that gives one: for keys that expire, it is asked before every request. */
  key: string | (() => string | Promise<string>)
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch
  /**
   * How long to wait for a server that has answered before, such as during a restart; 10 seconds by
   * default. Only for requests that are safe to repeat.
   */
  patienceMs?: number
}

export interface CribRequest {
  method?: 'GET' | 'POST'
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  /** A body as it is, instead of JSON; its type is in `headers`. */
  bytes?: Blob
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** Asking twice does no harm: a connection that breaks is tried again. */
  isRepeatable?: boolean
}

/**
 * The HTTP API of a Toolcrib server. Refusals are ToolErrors with the server's code. If a request
 * may have arrived although no answer came, the error has `mayHaveArrived`.
 */
export interface CribClient {
  /** `path` begins after `/api/v1`. */
  send(path: string, request?: CribRequest): Promise<Response>
  /** The same, with its JSON. */
  read<T>(path: string, request?: CribRequest): Promise<T>
}

/**
 * For a server that never answered: its address may be wrong, and the user waits for that message.
 */
const firstPatienceMs = 300
const usualPatienceMs = 10_000
const firstDelayMs = 100
const longestDelayMs = 1_600

/** A client for the crib at this address. */
export function createCribClient(address: CribAddress): CribClient {
  const { url, key, fetch = globalThis.fetch, patienceMs = usualPatienceMs } = address
  if (typeof key !== 'function') assertKey(key)
  assertAddress(url)
  const root = `${url.replace(/\/+$/, '')}/api/v1`
  let hasAnswered = false
  const client: CribClient = {
    async send(path, request = {}) {
      const target = `${root}${path}${toQuery(request.query)}`
      const init = toInit(request, await keyOf(key))
      const delays = delaysWithin(toPatience(request))
      let isLost = false
      for (;;) {
        const answer = await reach(fetch, target, init)
        const error = await findError(answer)
        hasAnswered ||= error === undefined
        if (error === undefined) return answer as Response
        // The error of a later attempt does not reveal the outcome of an earlier one.
        isLost ||= mayHaveArrived(error)
        if (!mayRetry(error)) throw error
        const { value: delayMs } = delays.next()
        if (delayMs === undefined || request.signal?.aborted) {
          throw isLost ? asArrived(error) : error
        }
        await rest(delayMs, request.signal)
      }
    },
    async read<T>(path: string, request?: CribRequest) {
      return (await (await client.send(path, request)).json()) as T
    },
  }
  return client
  function toPatience({ isRepeatable = false }: CribRequest): number {
    if (!isRepeatable) return 0
    return hasAnswered ? patienceMs : Math.min(firstPatienceMs, patienceMs)
  }
}

/** Each twice as long as the previous one, up to a bound; their sum is the given time. */
function* delaysWithin(ms: number): Generator<number, undefined> {
  let left = ms
  for (let delay = firstDelayMs; left >= delay; delay = Math.min(2 * delay, longestDelayMs)) {
    left -= delay
    yield delay
  }
  return undefined
}

/** Over as soon as nobody waits for the answer. */
export async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  signal?.addEventListener('abort', () => over.resolve(), { once: true })
  await over.promise
  clearTimeout(timer)
}

async function keyOf(key: CribAddress['key']): Promise<string> {
  if (typeof key === 'string') return key
  const given = await key()
  assertKey(given)
  return given
}

/**
 * Accepts any value, because it often comes from the environment. Sending an invalid one would
 * repeat it in the error.
 */
function assertKey(key: unknown): void {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return
  throw new ToolError('unauthorized', 'The key of the crib holds what no key holds, or nothing', {
    fix: 'Give the key alone, as toolcrib keys create shows it: no spaces, no line ends.',
  })
}

/** A request to an invalid address would be reported as a temporarily unreachable server. */
function assertAddress(url: unknown): void {
  const isAddress = typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)
  if (isAddress) return
  throw new ToolError('invalid_request', 'The address of the crib is not a URL', {
    fix: 'Give the one that toolcrib start prints, such as http://127.0.0.1:4680.',
  })
}

/** Did the request perhaps reach the crib, and was its answer lost? */
export function mayHaveArrived(error: ToolError): boolean {
  return error.details['mayHaveArrived'] === true
}

/** The same error, of a request that may have arrived. */
export function asArrived(error: ToolError): ToolError {
  if (mayHaveArrived(error)) return error
  const { code, message, fix } = error
  const details = { ...error.details, mayHaveArrived: true }
  return new ToolError(code, message, { details, cause: error, ...(fix !== undefined && { fix }) })
}

/** The crib went away in the middle of an answer. */
export function brokenOff(cause?: unknown): ToolError {
  return new ToolError('server_unreachable', 'The crib broke off before the call had ended', {
    fix: 'The call may still run: look for it in the record before calling again.',
    details: { mayHaveArrived: true },
    cause,
  })
}

/** A server that is temporarily unreachable; refused requests are refused again. */
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
      details: { mayHaveArrived: !isBeforeSending(cause) },
      cause: error,
    })
  }
}

/** By these a connection fails before anything is sent over it. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function isBeforeSending(cause: unknown): boolean {
  return isRecord(cause) && connectCodes.has(String(cause['code']))
}

/** By what it is not: a fetch that was given has a class of its own for what it answers. */
async function findError(answer: Response | ToolError): Promise<ToolError | undefined> {
  if (isToolError(answer)) return answer
  if (answer.status >= 400) return readError(answer)
  return isOfCrib(answer) ? undefined : notACrib(answer.status)
}

/** Anything else comes from a proxy in between, or from another server. */
function isOfCrib({ status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  const isBytes = headers.has('content-range')
  return status === 204 || status === 304 || isBytes || /json|event-stream/.test(type)
}

async function readError(response: Response): Promise<ToolError> {
  const { status } = response
  const problem = await response.json().catch(() => undefined)
  if (isRecord(problem) && 'code' in problem) return toProblemError(problem, status)
  // The crib words its own: a proxy has lost it, before or after it got the request.
  if (status >= 500) {
    return new ToolError('server_unreachable', `The crib can not be reached: answered ${status}`, {
      fix: 'Check that the server runs behind its proxy.',
      details: { mayHaveArrived: true },
    })
  }
  return status === 404 || status === 405 ? notACrib(status) : toProblemError({}, status)
}

function notACrib(status: number): ToolError {
  return new ToolError(
    'upstream_failed',
    `The server answered ${status} and does not look like Toolcrib`,
    {
      fix: 'Check the address: it is the one that toolcrib start prints, without a path of the API.',
      retryable: false,
    },
  )
}

function toQuery(query: CribRequest['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

function toInit(request: CribRequest, key: string): RequestInit {
  const { method = 'GET', body, bytes, headers, signal } = request
  return {
    method,
    headers: {
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(bytes !== undefined && { body: bytes }),
    ...(signal && { signal }),
  }
}
