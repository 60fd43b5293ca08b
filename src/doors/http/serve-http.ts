import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ToolError } from '../../core/kernel/errors.ts'
import { answerClientError, problemText, refuseBeforeApp } from './client-error.ts'
import type { HttpApp } from './create-http-app.ts'
import { createHostCheck, type HostCheck } from './host-check.ts'
import { createPartingResponse } from './parting-response.ts'
import type { NodeBindings } from './reply.ts'
import type { HttpLimits } from './route.ts'
import { watchBodies } from './slow-bodies.ts'

export interface ListenOptions {
  /** 0 takes any free one. */
  port: number
  host?: string
  /** The names under which requests may come in; unless given, those of the address itself. */
  hosts?: HostCheck
  maxHeaderBytes?: number
  /** How long a client may take for its headers, and for its whole request. */
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** The same for a file that is handed in. */
  uploadTimeoutMs?: number
  keepAliveTimeoutMs?: number
  maxConnections?: number
  /** A client that takes nothing of its answer for this long is cut off. */
  stalledMs?: number
  /** Something that looks at every request first, such as a bundler at work. */
  inFront?(server: Server): Promise<ServeFirst>
  /** Receives every request first. */
  onRequest?(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** How long running requests may still take when the server closes. */
  drainMs?: number
}

/** Answers a request, or calls `goOn` for the app to do it. */
export type ServeFirst = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  goOn: () => void,
) => void

/** A listening server. */
export interface HttpServer {
  readonly url: string
  readonly port: number
  /**
   * Announces the stop: not ready, and every connection ends with its answer. Serves until closed.
   */
  withdraw(): void
  /** Takes no more, lets what runs finish until the deadline, then cuts it. Safe to call twice. */
  close(): Promise<void>
}

/** Listens. Resolves when requests are answered. */
export async function serveHttp(app: HttpApp, options: ListenOptions): Promise<HttpServer> {
  const host = options.host ?? '127.0.0.1'
  const state = { isLeaving: false }
  const front: { fastPath?: ServeFirst } = {}
  const answer = toListener(app, options, host)
  const { requestTimeoutMs: normalMs = 30_000, uploadTimeoutMs = 600_000 } = options
  const uploadMs = Math.max(normalMs, uploadTimeoutMs)
  const server = createServer(
    {
      ServerResponse: createPartingResponse(state),
      maxHeaderSize: options.maxHeaderBytes ?? 16_384,
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      requestTimeout: uploadMs,
      keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
      // How often the two timeouts above are looked at; the default of 30 s would triple them.
      connectionsCheckingInterval: 1_000,
    },
    (incoming, outgoing) => {
      watch(incoming)
      options.onRequest?.(incoming, outgoing)
      answer(incoming, outgoing, front.fastPath)
    },
  )
  const watch = watchBodies(server, { normalMs, uploadMs, isUpload })
  // Twice what event streams may take: who only asks gets in as well.
  server.maxConnections = options.maxConnections ?? 8_192
  server.on('clientError', answerClientError)
  answerContinue(server, app.limits)
  cutStalled(server, options.stalledMs ?? 60_000)
  if (options.inFront !== undefined) front.fastPath = await options.inFront(server)
  await listen(server, options.port, host)
  const { port } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const withdraw = () => {
    state.isLeaving = true
    app.withdraw()
  }
  return {
    url: `http://${toUrlHost(host)}:${port}`,
    port,
    withdraw,
    close() {
      withdraw()
      return (closing ??= close(server, app, options.drainMs ?? 10_000))
    },
  }
}

type Listener = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fastPath: ServeFirst | undefined,
) => void

function toListener(app: HttpApp, options: ListenOptions, host: string): Listener {
  const { hosts = createHostCheck({ listensAt: host }) } = options
  const fetch = (request: Request, bindings: unknown) =>
    app.fetch(request, bindings as NodeBindings)
  const listener = getRequestListener(fetch, {
    // The globals stay as they are: the lighter Response would break `instanceof` for tools.
    overrideGlobalObjects: false,
    hostname: host,
    errorHandler: toBadRequest,
  })
  return function onRequest(incoming, outgoing, fastPath) {
    if (!hosts.admits(incoming)) return refuseBeforeApp(outgoing, 403, wrongHost())
    if (hasTwoHosts(incoming)) return refuseBeforeApp(outgoing, 400, twoHosts())
    const goOn = () => void listener(incoming, outgoing)
    if (app.fastPath(incoming, outgoing, goOn)) return
    if (fastPath === undefined) goOn()
    else fastPath(incoming, outgoing, goOn)
  }
}

/** Only an address that can't be read gets here: the app itself answers everything else. */
function toBadRequest(): Response {
  const error = new ToolError('invalid_request', 'The address of the request can not be read')
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(problemText(400, error), { status: 400, headers })
}

/** Node takes the first; something in front of us may have looked at the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

function twoHosts(): ToolError {
  return new ToolError('invalid_request', 'A request names one host')
}

function wrongHost(): ToolError {
  return new ToolError('forbidden', 'This server does not answer under this host name', {
    fix: 'Set server.publicUrl to the address people use, or add the name to server.hosts.',
  })
}

/** A client that asks before it sends a large body learns at once that it is too large. */
function answerContinue(server: Server, limits: HttpLimits): void {
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (Number(incoming.headers['content-length'] ?? 0) <= mostBytes(incoming, limits)) {
      outgoing.writeContinue()
    }
    server.emit('request', incoming, outgoing)
  })
}

function mostBytes({ url = '' }: IncomingMessage, limits: HttpLimits): number {
  if (isUpload(url)) return limits.maxUploadBytes
  return /\/complete(?:\?|$)/.test(url) ? limits.maxCompletionBytes : limits.maxBodyBytes
}

function isUpload(url: string): boolean {
  return /^\/api\/v1\/uploads(?:\?|$)/.test(url)
}

function cutStalled(server: Server, stalledMs: number): void {
  server.setTimeout(stalledMs, (socket) => {
    // A quiet line is fine, a call may take long; an answer that nobody takes is not.
    if (socket.writableLength > 0) socket.destroy()
  })
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    server.listen(port, host, () => resolve())
  })
}

function toListenError(error: NodeJS.ErrnoException, port: number, host: string): ToolError {
  const isTaken = error.code === 'EADDRINUSE'
  const message = isTaken
    ? `Port ${port} is in use`
    : `Can not listen on ${host}:${port}: ${error.message}`
  const fix = isTaken
    ? 'Choose another with --port; 0 takes any free one.'
    : 'Choose another --host or --port.'
  return new ToolError('invalid_config', message, { fix, cause: error })
}

async function close(server: Server, app: HttpApp, drainMs: number): Promise<void> {
  app.drain()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Connections that fall idle after this moment would keep the server open until they time out.
  const sweep = setInterval(() => server.closeIdleConnections(), 25)
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
}

function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
