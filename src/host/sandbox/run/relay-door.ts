import { chown, chmod } from 'node:fs/promises'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RelayHandler } from '../../../core/kernel/context/processes.ts'

export interface RelayDoorOptions {
  /** Where its socket is created. */
  socket: string
  owner: { uid: number; gid: number } | undefined
  relays: Readonly<Record<string, RelayHandler>>
  /** The proxy for all other hosts; undefined if there are none. */
  egressSocket: string | undefined
  signal: AbortSignal
}

const maxBodyBytes = 256 * 1024 * 1024

/** A proxy on a socket that answers `http://<name>.internal` by functions of ours. */
export async function openRelayDoor(
  options: RelayDoorOptions,
): Promise<{ close(): Promise<void> }> {
  const { socket, owner, relays, egressSocket } = options
  const open = new Set<Duplex>()
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy())
  })
  server.on('connection', (connection) => track(open, connection))
  server.on('connect', (request, connection, head) => {
    track(open, connection)
    const host = hostOf(`http://${request.url ?? ''}`)
    // Without encryption only: nobody could have a certificate for such a name.
    if (egressSocket === undefined || findRelay(host, relays) !== undefined) {
      return void connection.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    }
    passOn(request, { connection, head, egressSocket })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
  await chmod(socket, 0o600)
  if (owner !== undefined) await chown(socket, owner.uid, owner.gid)
  return {
    async close() {
      for (const connection of open) connection.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function track(open: Set<Duplex>, connection: Duplex): void {
  open.add(connection)
  connection.on('error', () => undefined)
  connection.once('close', () => open.delete(connection))
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function findRelay(host: string, relays: RelayDoorOptions['relays']): RelayHandler | undefined {
  const name = host.endsWith('.internal') ? host.slice(0, -'.internal'.length) : ''
  return Object.hasOwn(relays, name) ? relays[name] : undefined
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: RelayDoorOptions,
): Promise<void> {
  const url = request.url ?? ''
  const relay = findRelay(hostOf(url), options.relays)
  if (relay === undefined) return forward(request, response, options.egressSocket)
  const signal = AbortSignal.any([options.signal, closingOf(response)])
  const answered = await relay(toRequest(request, url), signal).catch(
    (error: unknown) =>
      new Response(error instanceof Error ? error.message : 'The relay failed', { status: 502 }),
  )
  response.writeHead(answered.status, headersOf(answered.headers))
  if (answered.body === null) return void response.end()
  await pipeline(Readable.fromWeb(answered.body as never), response)
}

/** Aborts when the program disconnects before it was answered. */
function closingOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}

const ofTheConnection = new Set([
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
])

function headersOf(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !ofTheConnection.has(name) || name === 'content-length')
}

function toRequest(request: IncomingMessage, url: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (!ofTheConnection.has(name) && value !== undefined) headers.set(name, String(value))
  }
  const { method = 'GET' } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? (Readable.toWeb(Readable.from(bounded(request))) as ReadableStream) : null
  return new Request(url, {
    method,
    headers,
    body,
    redirect: 'manual',
    ...(hasBody && { duplex: 'half' }),
  })
}

async function* bounded(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    total += piece.length
    if (total > maxBodyBytes) throw new RangeError('The body is too large for a relay')
    yield piece
  }
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  egressSocket: string | undefined,
): Promise<void> {
  if (egressSocket === undefined) {
    response.writeHead(403, { 'content-type': 'text/plain' })
    return void response.end('No rule allows this host.\n')
  }
  const { method, headers, url: path } = request
  const onward = sendRequest({ socketPath: egressSocket, path, method, headers })
  onward.once('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers)
    pipeline(answered, response).catch(() => response.destroy())
  })
  await pipeline(request, onward)
}

interface Tunnel {
  connection: Duplex
  head: Buffer
  egressSocket: string
}

/** The same CONNECT to the proxy behind, and then both directions as they are. */
function passOn(request: IncomingMessage, { connection, head, egressSocket }: Tunnel): void {
  const onward: Socket = connect({ path: egressSocket, allowHalfOpen: true })
  const lines = request.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ''}`] : [],
  )
  onward.write([`CONNECT ${request.url ?? ''} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  if (head.length > 0) onward.write(head)
  const end = () => {
    onward.destroy()
    connection.destroy()
  }
  onward.on('error', end).on('close', end)
  connection.on('error', end).on('close', end)
  onward.pipe(connection)
  connection.pipe(onward)
}
