import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type AuthInfo,
  type McpServerFactory,
  type Server,
  type ServerContext,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { CoreApi } from '../../core/crib-api.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { createLiveCalls } from './calls/live-calls.ts'
import { createOpenRequests } from './calls/open-requests.ts'
import { createParkedDialogs } from './calls/parked-dialogs.ts'
import { createServer } from './create-server.ts'
import type { McpConversation, McpShared } from './mcp-shared.ts'
import {
  holderOf,
  type McpLimits,
  type McpRequestContext,
  normalMcpLimits,
} from './mcp-request-context.ts'
import { rpcError } from './rpc-error.ts'
import { checkParamHeaders } from './tools/param-headers.ts'
import { readyList } from './tools/ready-list.ts'
import { fromScopedName } from './tools/tool-pages.ts'
import { openOlderDoor } from './sessions/older-door.ts'
import { isListening, listen, type Listening, toListening } from './watch/listening.ts'
import { openStream } from './watch/open-stream.ts'
import { createStreamList } from './watch/stream-list.ts'

export interface McpDoorOptions {
  api: CoreApi
  version: string
  limits?: Partial<McpLimits>
  /** Receives every failure without a code, which is a bug, for the log. */
  onFault(error: unknown): void
}

/** One request as the host has read it. */
export interface ReadRequest {
  /** Its body has been read; `body` is what it held. */
  request: Request
  body: unknown
  requestContext: McpRequestContext
}

/** The MCP door: today's protocol and the older ones, over web requests. */
export interface McpDoor {
  readonly shared: McpShared
  handle(incoming: ReadRequest): Promise<Response>
  /** The JSON of an answer that lies ready, for a host to send as it is; most have to be made. */
  findReady(incoming: ReadRequest): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** A server for a conversation over a pipe. */
  createServer(conversation: McpConversation): Server
  /** Ends streams and waits for clients; running work is left to finish. */
  drain(): void
}

/** Opens the door. It holds no rules of its own: what a caller may do is decided behind `api`. */
export function createMcpDoor(options: McpDoorOptions): McpDoor {
  const { api, version, onFault } = options
  const limits = { ...normalMcpLimits, ...options.limits }
  const parked = createParkedDialogs(limits, holderOfContext)
  const live = createLiveCalls(limits.maxParkedPerCaller)
  const openRequests = createOpenRequests(api)
  const shared: McpShared = { api, version, limits, parked, live, openRequests, onFault }
  const listeners = new AsyncLocalStorage<Listening>()
  const factory = toFactory(shared)
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    bus: toBus(shared, listeners),
    maxSubscriptions: limits.maxStreams,
    keepAliveMs: limits.keepAliveMs,
  })
  const single = legacyStatelessFallback(factory)
  const streams = createStreamList(limits.maxStreams)
  const older = openOlderDoor({
    shared,
    streams,
    serveOne: ({ request, body, requestContext }) =>
      single(request, { authInfo: toAuthInfo(requestContext), parsedBody: body }),
  })

  async function handleModern({ request, body, requestContext }: ReadRequest): Promise<Response> {
    const refusal = await checkHeaders(shared, { request, body, requestContext })
    if (refusal !== undefined) return refusal
    const how = (parsedBody: unknown) => ({ authInfo: toAuthInfo(requestContext), parsedBody })
    if (!isListening(body)) return modern.fetch(request, how(body))
    return openStream({ shared, streams, requestContext, body }, async () => {
      const listening = await toListening(shared, requestContext, body)
      return listeners.run(listening, () => modern.fetch(request, how(listening.body)))
    })
  }
  return {
    shared,
    async handle(incoming) {
      const { request, body } = incoming
      if (Array.isArray(body)) return noBatches()
      if (keepsTooMuch(body)) return tooMuchToKeep(body)
      return (await isLegacyRequest(request, body))
        ? older.handle(incoming)
        : handleModern(incoming)
    },
    async findReady({ request, body, requestContext }) {
      const found = older.findVisit(request.headers.get('mcp-session-id'), requestContext)
      return found && readyList(shared, found, { headers: request.headers, body })
    },
    createServer: (conversation) => createServer(shared, conversation),
    drain() {
      streams.endAll()
      older.close()
      parked.close()
    },
  }
}

function noBatches(): Response {
  const message = 'Batches are not taken: send one request at a time'
  return rpcError({ status: 400, code: -32600, message })
}

/** These answers are held open for as long as their client stays. */
const keeping: ReadonlySet<unknown> = new Set(['initialize', 'subscriptions/listen'])
const maxKeptChars = 65_536

function keepsTooMuch(body: unknown): boolean {
  if (!isRecord(body) || !keeping.has(body['method'])) return false
  return JSON.stringify(body).length > maxKeptChars
}

function tooMuchToKeep(body: unknown): Response {
  const message = `A request whose words stay has at most ${maxKeptChars} characters`
  return rpcError({ status: 413, code: -32602, message }, body)
}

function toFactory(shared: McpShared): McpServerFactory {
  return ({ era, authInfo }) => {
    const requestContext = visitOf(authInfo)
    if (requestContext === undefined) throw new TypeError('A request without a requestContext')
    return createServer(shared, { requestContext, era, isTwoWay: false })
  }
}

/** Arguments that are mirrored in headers must have the same value there. */
async function checkHeaders(
  { api }: McpShared,
  { request, body, requestContext }: ReadRequest,
): Promise<Response | undefined> {
  if (!isRecord(body) || body['method'] !== 'tools/call' || !isRecord(body['params'])) {
    return undefined
  }
  const { name } = body['params']
  const offer = await api.offer(requestContext.caller)
  const tool =
    typeof name === 'string' ? offer.find(fromScopedName(name, requestContext.scope)) : undefined
  return tool === undefined ? undefined : checkParamHeaders(tool, request.headers, body)
}

/** Listeners learn of changes in their own offer. */
function toBus(shared: McpShared, listeners: AsyncLocalStorage<Listening>): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe(tell) {
      const listening = listeners.getStore()
      if (listening === undefined) throw new TypeError('A stream without a requestContext')
      return listen(shared, listening, tell)
    },
  }
}

/** The requestContext travels where the SDK has a place for it; no token does. */
function toAuthInfo(requestContext: McpRequestContext): AuthInfo {
  return {
    token: '',
    clientId: holderOf(requestContext.caller),
    scopes: [],
    extra: { requestContext },
  }
}

function visitOf(authInfo: AuthInfo | undefined): McpRequestContext | undefined {
  return authInfo?.extra?.['requestContext'] as McpRequestContext | undefined
}

function holderOfContext({ http }: ServerContext): string {
  return http?.authInfo?.clientId ?? ''
}
