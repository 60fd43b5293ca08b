import { randomBytes } from 'node:crypto'
import { chmod, chown, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Agent } from 'undici'
import type { DoorOptions, HostNetwork, NetworkRoute } from '../../../core/host/host-network.ts'
import type { EgressDoor } from '../../../core/host/network-policy.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { sendAnswer, toDoorAnswer } from './door-answer.ts'
import { type DoorLimits, limitConnections, usualDoorLimits } from './door-limits.ts'
import { forward } from './forward.ts'
import { relay, relayName } from './relay.ts'
import { tunnel } from './tunnel.ts'

export interface DoorParts {
  network: Pick<HostNetwork, 'dial'> & { dispatcherFor(route: NetworkRoute): Agent }
  /** True for ports that a tunnel may lead to. */
  opensPort(port: number): boolean
  limits?: DoorLimits
}

/** The longest path of a Unix socket, everywhere. */
const mostPathBytes = 103

/** An HTTP proxy on a Unix socket, through which the same guard dials as for tools. */
export async function openDoor(options: DoorOptions, parts: DoorParts): Promise<EgressDoor> {
  const { folder, owner, route, guard, relays = {} } = options
  const socket = join(folder, `egress-${randomBytes(4).toString('hex')}.sock`)
  if (Buffer.byteLength(socket) > mostPathBytes) throw tooLong(socket)
  const upstreams = new Set<Duplex>()
  const server = createServer({ headersTimeout: 30_000, requestTimeout: 0 })
  const endAll = limitConnections(server, parts.limits ?? usualDoorLimits)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = urlOf(request)
    const name = relayName(url.hostname)
    if (name === undefined) {
      return forward(request, response, { url, agent: parts.network.dispatcherFor(route), guard })
    }
    const handler = Object.hasOwn(relays, name) ? relays[name] : undefined
    if (handler === undefined) throw noRelay(name)
    return relay(request, response, { url, handler })
  }
  async function dial(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
    const ports = parts.opensPort(port) ? [port] : []
    const upstream = await parts.network.dial(route, { host, port, ports, signal }, guard)
    upstreams.add(upstream as Duplex)
    upstream.once('close', () => upstreams.delete(upstream as Duplex))
    return upstream as Duplex
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch((error: unknown) => sendAnswer(response, toDoorAnswer(error)))
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel(request.url ?? '', { client, head }, dial)
  })
  server.on('clientError', (_error: Error, client: Duplex) => client.destroy())
  await listen(server, socket)
  try {
    // Before its path is passed on: only its owner may connect.
    await chmod(socket, 0o600)
    if (owner !== undefined) await chown(socket, owner.uid, owner.gid)
  } catch (error) {
    server.close()
    throw error
  }
  return {
    socket,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      endAll()
      for (const upstream of upstreams) upstream.destroy()
      server.closeAllConnections()
      await closed
      await rm(socket, { force: true })
    },
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      // Failures of single connections must not end this process.
      server.on('error', () => undefined)
      resolve()
    })
  })
}

/** The absolute address of a request; without one, its Host header, as for a server. */
function urlOf({ url = '', headers }: IncomingMessage): URL {
  const text = url.startsWith('/') ? `http://${headers.host ?? ''}${url}` : url
  if (URL.canParse(text)) {
    const parsed = new URL(text)
    const isPlain = parsed.username === '' && parsed.password === ''
    if (parsed.protocol === 'http:' && isPlain) return parsed
  }
  throw new ToolError('invalid_request', 'This proxy takes CONNECT, and absolute http addresses')
}

function noRelay(name: string): ToolError {
  return new ToolError('forbidden', `There is no relay ${name.slice(0, 100)}`)
}

function tooLong(path: string): ToolError {
  return new ToolError('invalid_config', `The path of a socket is too long: ${path}`, {
    fix: `Use a data folder with a shorter path: ${mostPathBytes} bytes are possible in total.`,
  })
}
