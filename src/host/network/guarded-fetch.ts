import type { Agent, fetch as dial } from 'undici'
import { ToolError } from '../../core/kernel/errors.ts'
import { createGuardedConnector, type DialRule } from './guarded-connector.ts'
import { undici } from './undici.ts'

/** A fetch that goes nowhere it may not, and its connections. */
export interface GuardedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  close(): Promise<void>
}

export interface GuardOptions {
  /** Asked for every connection, that of a redirect included. */
  rule: DialRule
  /** How long a connection may take to come about. */
  connectMs?: number
}

const mostRedirects = 5
const usualConnectMs = 10_000
/** Headers that are sent to another origin: none that identify the caller. */
const harmlessHeaders = new Set(['accept', 'content-type', 'user-agent', 'mcp-protocol-version'])

/**
 * Dials the address that was checked: names are looked up once, and a name with one forbidden
 * address is forbidden. Redirects are followed one by one, each checked again. Connections are
 * shared by all users of this guard, so each policy needs its own. Proxies of the environment are
 * ignored: they would dial unchecked addresses.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const agent = createGuardedAgent(options)
  async function once(url: URL, init: RequestInit): Promise<Response> {
    checkUrl(url)
    const { redirect: _redirect, ...rest } = init
    try {
      const request = { ...rest, redirect: 'manual', dispatcher: agent } as Parameters<
        typeof dial
      >[1]
      return toResponse(await undici().fetch(url, request))
    } catch (error) {
      throw toRefusal(error) ?? error
    }
  }
  return {
    async fetch(input, init = {}) {
      let url = new URL(input)
      let request = init
      for (let hop = 0; ; hop++) {
        const response = await once(url, request)
        const target = init.redirect === 'manual' ? undefined : redirectOf(response, url)
        if (target === undefined) return response
        await response.body?.cancel()
        if (hop >= mostRedirects || init.redirect === 'error') throw badRedirect(url)
        request = toNextRequest({ from: url, to: target, status: response.status }, request)
        url = target
      }
    },
    close: () => agent.destroy(),
  }
}

/** Connections to what may be dialled. For requests that follow no redirects by themselves. */
export function createGuardedAgent({ rule, connectMs = usualConnectMs }: GuardOptions): Agent {
  return new (undici().Agent)({
    connect: createGuardedConnector(rule, connectMs),
    // Of one origin. Everybody who signs in for themselves has streams that stay open.
    connections: 1024,
    keepAliveTimeout: 30_000,
    // Calls and streams have their own deadlines; a silent stream is not broken.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined
}

interface Hop {
  from: URL
  to: URL
  status: number
}

/** Throws where a redirect would carry a request, or what is in it, to somebody else. */
function toNextRequest({ from, to, status }: Hop, request: RequestInit): RequestInit {
  const method = (request.method ?? 'GET').toUpperCase()
  const isPlain = method === 'GET' || method === 'HEAD'
  const isSame = from.origin === to.origin
  const isDowngrade = from.protocol === 'https:' && to.protocol !== 'https:'
  if (isDowngrade || (!isSame && !isPlain)) throw badRedirect(from)
  const headers = [...new Headers(request.headers)].filter(
    ([name]) => isSame || harmlessHeaders.has(name),
  )
  const losesBody = !isPlain && (status === 303 || status === 301 || status === 302)
  return losesBody ? { ...request, headers, method: 'GET', body: null } : { ...request, headers }
}

/** Throws for an address that no server of ours has. */
export function checkUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ToolError('invalid_request', `${url.protocol} is not http or https`)
  }
  if (url.username === '' && url.password === '') return
  throw new ToolError('invalid_request', 'An address must not hold a name or a password', {
    fix: 'Keep it as a secret and name it in a header: "authorization": "secret:<name>".',
  })
}

/** Others compare with the Response of this process, which undici's own is not. */
function toResponse(found: Awaited<ReturnType<typeof dial>>): Response {
  const { status, statusText, url } = found
  const isEmpty = status === 204 || status === 205 || status === 304
  const body = isEmpty ? null : (found.body as ReadableStream<Uint8Array> | null)
  const response = new Response(body, { status, statusText, headers: [...found.headers] })
  Object.defineProperty(response, 'url', { value: url })
  return response
}

/** Our own refusal comes wrapped in the error that fetch throws for every failure. */
function toRefusal(error: unknown): ToolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolError) return cause
  }
  return undefined
}

function badRedirect(from: URL): ToolError {
  return new ToolError('upstream_failed', `${from.host} sends its callers elsewhere`, {
    fix: 'Give the address it leads to, if you trust that.',
    retryable: false,
  })
}
