import type { IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Caller } from '../../core/kernel/call.ts'
import type { CoreApi } from '../../core/crib-api.ts'
import type { Operation } from '../../core/operations/operation.ts'
import { operations } from '../../features/operations.ts'
import type { McpLimits } from '../mcp/mcp-request-context.ts'
import { answerUnknown } from './answer-unknown.ts'
import { describeRoute, toOpenApiDocument } from './describe/describe-api.ts'
import type { ConsoleFiles } from './console/console-files.ts'
import { serveConsole } from './console/serve-console.ts'
import { createApiPages } from './cross-origin.ts'
import { createFastPath } from './fast-path.ts'
import type { FastPath } from './fast-path.ts'
import type { HostCheck } from './host-check.ts'
import { createLazyMcpDoor } from './lazy-mcp-door.ts'
import type { LazyMcpDoor } from './lazy-mcp-door.ts'
import type { McpFastPath } from './mcp-fast-path.ts'
import { toRoute } from './operation-route.ts'
import { ownReplies } from './own-replies.ts'
import { fromContext } from './request/http-request.ts'
import type { HttpContext } from './request/http-request.ts'
import { createAuthThrottle } from './request/auth-throttle.ts'
import { createIdentify } from './request/identify.ts'
import type { OpenApiDocument } from './pages/openapi-view.ts'
import { sitePages } from './pages/site.ts'
import { sendReply } from './reply.ts'
import type { NodeBindings, Reply } from './reply.ts'
import { createRequestIds } from './request/request-id.ts'
import type { Door, HttpLimits, DoorRequest } from './route.ts'
import { changesRoute } from './routes/changes.ts'
import { callToolRoute } from './routes/call-tool.ts'
import { chatRoutes } from './routes/chat.ts'
import { completionRoutes } from './routes/completion.ts'
import { eventsRoute } from './routes/events.ts'
import { createMcpGate } from './routes/mcp-gate.ts'
import { mcpPaths, serveMcp } from './routes/mcp.ts'
import { protectedResourceRoutes } from './routes/protected-resource.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { skillRoutes } from './routes/skills.ts'
import { offerRoutes } from './routes/offer.ts'
import { serverRoutes } from './routes/server.ts'
import type { MetricsAccess } from './routes/server.ts'
import { uploadRoute, workspaceFileRoute } from './routes/uploads.ts'
import { servePublicRoute, serveRoute, toRefusal } from './serve-route.ts'
import type { HttpGate, Fault } from './serve-route.ts'
import { createBrowser } from './request/browser.ts'
import { createStreamRegister } from './stream-register.ts'

export interface HttpAppOptions {
  api: CoreApi
  version: string
  /** All operations of features; tests offer others, to see what their walks find. */
  operations?: Readonly<Record<string, Operation>>
  /** The address people use, where a proxy makes it another than the one requests arrive at. */
  publicUrl?: string
  /** The names that are ours; unless given, the one that a request arrives at is. */
  hosts?: Pick<HostCheck, 'isOwn'>
  /** How many proxies in front are believed about where a request comes from; with `publicUrl` alone. */
  trustedProxies?: number
  limits?: Partial<HttpLimits>
  /** Wait until a read is on disk before it is answered (true): an answered call survives a crash. */
  durableReads?: boolean
  /** The callers that may read `/metrics`; by default keys with `audit.read`. */
  metrics?: MetricsAccess
  /** Bounds for MCP clients, where they are to be other than usual. */
  mcpLimits?: Partial<McpLimits>
  /** Web pages of these origins may use the API and MCP, beside our own. */
  origins?: readonly string[]
  /** The console. Without one, plain pages say what is here. */
  console?: ConsoleFiles
  /** Receives the caller of a request once it is known. */
  onCaller?(incoming: IncomingMessage, caller: Caller): void
  /** Receives every failure without a code, which is a bug, for the log. */
  onFault?(fault: Fault): void
}

/** The HTTP door: a Hono app, and the way to wind it down. */
export interface HttpApp {
  readonly fetch: (request: Request, bindings?: NodeBindings) => Response | Promise<Response>
  readonly request: OpenAPIHono<{ Bindings: NodeBindings }>['request']
  readonly limits: HttpLimits
  /** A shorter way for plain tool calls, for a server on node:http to try first. */
  readonly fastPath: McpFastPath
  /** The routes themselves, for other doors that live on the same port. */
  readonly hono: OpenAPIHono<{ Bindings: NodeBindings }>
  /** The OpenAPI 3.1 document, as `/openapi.json` serves it. */
  openApi(): OpenApiDocument
  /**
   * From now on not ready, so that proxies use other nodes; further requests are served as before.
   */
  withdraw(): void
  /** From now on: not ready, no new calls, and every event stream ends. */
  drain(): void
}

const normalLimits: HttpLimits = {
  maxBodyBytes: 1_048_576,
  maxCompletionBytes: 33_554_432,
  maxUploadBytes: 52_428_800,
  maxJsonDepth: 200,
  failedAuthPerMinute: 100,
  maxStreams: 4_096,
  maxWaitSeconds: 60,
  heartbeatMs: 15_000,
  maxPendingBytes: 262_144,
}

const toApiRoutes = (offered: Readonly<Record<string, Operation>>) => [
  callToolRoute,
  ...offerRoutes,
  eventsRoute,
  changesRoute,
  ...Object.entries(offered)
    .filter(([, { isServedByHand }]) => isServedByHand !== true)
    .map(([name, operation]) => toRoute(name, operation, ownReplies[name])),
  ...skillRoutes,
  ...chatRoutes,
  uploadRoute,
  workspaceFileRoute,
]

/** Builds the HTTP door over a crib. It holds no rules of its own: what a caller may do is decided behind `api`. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const hono = new OpenAPIHono<{ Bindings: NodeBindings }>()
  const limits = { ...normalLimits, ...options.limits }
  let isDraining = false
  let isWithdrawn = false
  const { publicUrl } = options
  const trustedProxies = publicUrl === undefined ? 0 : (options.trustedProxies ?? 0)
  const perMinute = limits.failedAuthPerMinute
  const throttle = createAuthThrottle({ perMinute, trustedProxies })
  const door: Door = {
    api: options.api,
    limits,
    durableReads: options.durableReads ?? true,
    streams: createStreamRegister(limits.maxStreams),
    browser: createBrowser({ api: options.api, publicUrl, trustedProxies, throttle }),
    throttle,
    publicUrl,
    isOwnHost: (host) => options.hosts?.isOwn(host) ?? true,
    isDraining: () => isDraining,
    isWithdrawn: () => isWithdrawn,
  }
  const openApi = once(
    () => toOpenApiDocument(hono as OpenAPIHono, options.version) as unknown as OpenApiDocument,
  )
  const gate = addRoutes(hono, { door, options, openApi })
  const mcp = addMcp(hono, gate, options)
  return {
    fetch: (request, bindings) => hono.fetch(request, bindings ?? {}),
    request: hono.request,
    limits,
    fastPath: joinFastPaths(createFastPath(gate, callToolRoute), mcp.fastPath),
    hono,
    openApi,
    withdraw() {
      isWithdrawn = true
    },
    drain() {
      isDraining = true
      door.streams.endAll()
      mcp.door.drain()
    },
  }
}

interface Parts {
  door: Door
  options: HttpAppOptions
  openApi(): OpenApiDocument
}

function addRoutes(
  hono: OpenAPIHono<{ Bindings: NodeBindings }>,
  { door, options, openApi }: Parts,
): HttpGate {
  const { api, publicUrl, onCaller } = options
  const gate: HttpGate = {
    door,
    identify: createIdentify({
      api,
      browser: door.browser,
      throttle: door.throttle,
      publicUrl,
      onCaller,
    }),
    onCaller,
    toRequestId: createRequestIds(),
    onFault: options.onFault ?? printFault,
    ...(options.origins?.length && { pages: createApiPages(options.origins) }),
  }
  const { pages } = gate
  if (pages !== undefined) {
    const preflight = ({ request }: DoorRequest) => pages.share(pages.preflight(request), request)
    hono.options('/api/v1/*', servePage(gate, preflight))
  }
  for (const route of toApiRoutes(options.operations ?? operations)) {
    describeRoute(hono as OpenAPIHono, route)
    hono.on(route.method, toHonoPath(route.path), serveRoute(gate, route))
  }
  const publicRoutes = [
    ...completionRoutes,
    ...signInRoutes,
    ...protectedResourceRoutes,
    ...serverRoutes(options.metrics ?? {}),
  ]
  for (const route of publicRoutes) {
    describeRoute(hono as OpenAPIHono, route)
    hono.on(route.method, toHonoPath(route.path), servePublicRoute(gate, route))
  }
  const visitPage = (visit: AnswerPage) => servePage(gate, visit)
  const consolePages = options.console === undefined ? undefined : serveConsole(options.console)
  for (const [method, path, visit] of sitePages(openApi, consolePages)) {
    hono.on(method, path, visitPage(visit))
  }
  const document = once(() => JSON.stringify(openApi()))
  const serveDocument = visitPage(() => ({
    status: 200,
    type: 'application/json',
    body: document(),
  }))
  hono.get('/openapi.json', serveDocument)
  hono.get('/api/v1/openapi.json', serveDocument)
  hono.onError((error, context) => answerFault(gate, error, context))
  const visitConsole = consolePages === undefined ? undefined : visitPage(consolePages.visit)
  hono.notFound((context) =>
    visitConsole !== undefined && consolePages?.isFor(fromContext(context))
      ? visitConsole(context)
      : answerUnknown(hono, gate, context),
  )
  return gate
}

/** The door for MCP clients, on the same port and with the same keys. */
function addMcp(
  hono: OpenAPIHono<{ Bindings: NodeBindings }>,
  gate: HttpGate,
  { api, version, publicUrl, mcpLimits, origins = [] }: HttpAppOptions,
): LazyMcpDoor {
  const onFault = (error: unknown) =>
    gate.onFault({ error, requestId: 'mcp', method: 'POST', path: '/mcp' })
  const mcp = createLazyMcpDoor(gate, { api, version, limits: mcpLimits, onFault })
  const identify = createIdentify({
    api,
    browser: gate.door.browser,
    throttle: gate.door.throttle,
    publicUrl,
    onCaller: gate.onCaller,
    runtime: 'mcp',
  })
  const serve = serveMcp(gate, createMcpGate({ gate, identify, origins }), mcp.door)
  for (const path of mcpPaths) hono.on(['GET', 'POST', 'DELETE', 'OPTIONS'], path, serve)
  return mcp
}

/** Tool calls over HTTP and over MCP each have a short way. */
function joinFastPaths(plain: FastPath, mcp: McpFastPath): McpFastPath {
  return (incoming, outgoing, goOn) => plain(incoming, outgoing) || mcp(incoming, outgoing, goOn)
}

/** Where nobody listens for faults they still have to be seen. */
function printFault({ requestId, method, path, error }: Fault): void {
  process.stderr.write(`${requestId} ${method} ${path}: ${inspect(error)}\n`)
}

type AnswerPage = (request: DoorRequest) => Promise<Reply> | Reply

function servePage(gate: HttpGate, visit: AnswerPage) {
  return servePublicRoute(gate, { visit })
}

/**
 * A reply that could not be written, for example because of an invalid header: a bug, and logged as
 * one.
 */
function answerFault(gate: HttpGate, error: unknown, context: HttpContext): Response {
  const request = fromContext(context)
  const requestId = gate.toRequestId(request.header('x-request-id'))
  return sendReply(toRefusal(gate, error, { request, requestId }), requestId, context.env ?? {})
}

function toHonoPath(path: string): string {
  // A path in a path may have slashes of its own.
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace(':path', ':path{.+}')
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
