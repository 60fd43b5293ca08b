import type { Agent, fetch as dial } from 'undici'
import type { NetworkGuard } from '../../core/host/host-network.ts'
import type { Web } from '../../core/kernel/context/web.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { portOf } from '../../core/net/port-rule.ts'
import { bareHost, createGuardedConnector, type DialOptions } from './guarded-connector.ts'
import { badRedirect, redirectOf, toNextRequest } from './redirects.ts'
import { limitBody, type RequestLimits, startLimits } from './request-limits.ts'
import { toSending } from './to-sending.ts'
import { undici } from './undici.ts'

/** A fetch that goes nowhere it may not, and its connections. */
export interface GuardedFetch {
  readonly fetch: Web['fetch']
  close(): Promise<void>
}

export interface GuardOptions extends Omit<DialOptions, 'connectMs'> {
  /** How long a connection may take to come about. */
  connectMs?: number
}

const mostRedirects = 5
const usualConnectMs = 10_000

/**
 * Dials the address that was checked: names are looked up once, and a name with one forbidden
 * address is forbidden. Redirects are followed one by one, each checked again. Connections are
 * shared by all users of this guard, so each policy needs its own. Proxies of the environment are
 * ignored: they would dial unchecked addresses.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const agent = createGuardedAgent(options)
  return { fetch: fetchOver(agent), close: () => agent.destroy() }
}

/** Fetches over the connections of an agent, as far as one of its users may. */
export function fetchOver(agent: Agent, guard?: NetworkGuard): Web['fetch'] {
  return async (input, given) => {
    const { url, init } = await toSending(input, given)
    const limits = startLimits(init, url.host)
    try {
      const request = limits.signal === undefined ? init : { ...init, signal: limits.signal }
      return await follow({ agent, guard, limits }, url, request)
    } catch (error) {
      limits.end?.()
      throw error
    }
  }
}

/** Connections to what may be dialled. For requests that follow no redirects by themselves. */
export function createGuardedAgent({
  connectMs = usualConnectMs,
  ...dialing
}: GuardOptions): Agent {
  return new (undici().Agent)({
    connect: createGuardedConnector({ ...dialing, connectMs }),
    // Of one origin. Everybody who signs in for themselves has streams that stay open.
    connections: 1024,
    keepAliveTimeout: 30_000,
    // Calls and streams have their own deadlines; a silent stream is not broken.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

interface Exchange {
  agent: Agent
  guard: NetworkGuard | undefined
  limits: RequestLimits
}

type Found = Awaited<ReturnType<typeof dial>>

async function follow(exchange: Exchange, start: URL, init: RequestInit): Promise<Response> {
  let url = start
  let request = init
  for (let hop = 0; ; hop++) {
    const found = await once(exchange, url, request)
    const target = init.redirect === 'manual' ? undefined : redirectOf(found, url)
    if (target === undefined) return toResponse(found, { url, hop, limits: exchange.limits })
    await found.body?.cancel()
    if (hop >= mostRedirects || init.redirect === 'error') throw badRedirect(url)
    request = toNextRequest({ from: url, to: target, status: found.status }, request)
    url = target
  }
}

async function once({ agent, guard }: Exchange, url: URL, init: RequestInit): Promise<Found> {
  checkUrl(url)
  const host = bareHost(url.hostname)
  await guard?.assertMayReach(host, portOf(url))
  try {
    const request = { ...init, redirect: 'manual', dispatcher: agent } as Parameters<typeof dial>[1]
    return await undici().fetch(url, request)
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal?.code === 'forbidden') guard?.onRefused?.(host, portOf(url), refusal.message)
    throw refusal ?? error
  }
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
function toResponse(
  found: Found,
  { url, hop, limits }: { url: URL; hop: number; limits: RequestLimits },
): Response {
  const { status, statusText } = found
  const isEmpty = status === 204 || status === 205 || status === 304 || found.body === null
  if (isEmpty) limits.end?.()
  const body = isEmpty ? null : limitBody(found.body as ReadableStream<Uint8Array>, limits)
  const response = new Response(body, { status, statusText, headers: [...found.headers] })
  return Object.defineProperties(response, {
    url: { value: url.href },
    redirected: { value: hop > 0 },
  })
}

/** Our own refusal comes wrapped in the error that fetch throws for every failure. */
function toRefusal(error: unknown): ToolError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    if (cause instanceof ToolError) return cause
  }
  return undefined
}
