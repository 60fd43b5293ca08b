import { lookup } from 'node:dns/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import type { buildConnector } from 'undici'
import type { NetworkIdentity } from '../../core/host/host-network.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { closedPort, type PortRule, portOf } from '../../core/net/port-rule.ts'
import { undici } from './undici.ts'

/** The addresses that may be dialled. */
export interface DialRule {
  /** May this address be dialled, that the name stands for? */
  mayDial: MayDial
  /** Why not at this port, or undefined. */
  mayUsePort(host: string, port: number): ReturnType<PortRule>
}

type MayDial = (host: string, address: string) => boolean

/** All addresses of a name. */
export type LookUp = (host: string) => Promise<readonly string[]>

export interface DialOptions {
  rule: DialRule
  /** The deadline for looking a name up, and for each connection. */
  connectMs: number
  tls?: NetworkIdentity | undefined
  /** The resolver of this machine by default. */
  lookUp?: LookUp | undefined
}

/** A name with more addresses than this is not tried to its end. */
const mostTried = 6

/**
 * Dials only allowed addresses. A name is looked up here, once, and the connection goes to one of
 * the addresses that were checked, so a different answer the next time has no effect. A check in
 * `lookup` would not see literal addresses.
 */
export function createGuardedConnector(options: DialOptions): buildConnector.connector {
  const connect = undici().buildConnector({ timeout: options.connectMs, ...options.tls })
  async function open(target: buildConnector.Options): Promise<Socket> {
    const host = bareHost(target.hostname)
    // Certificates are checked against the name, not against the address.
    const servername = target.servername ?? (isIP(host) === 0 ? host : undefined)
    return dialChecked({ host, port: portOf(target) }, options, (hostname) =>
      connectBy(connect, { ...target, hostname, servername }),
    )
  }
  return (target, callback) => {
    const answer = callbackify(open)
    answer(target, (error, socket) => (error ? callback(error, null) : callback(null, socket)))
  }
}

/** A plain connection to an allowed address. */
export function dialTcp(
  target: { host: string; port: number; signal?: AbortSignal | undefined },
  options: DialOptions,
): Promise<Socket> {
  const { port, signal } = target
  const host = bareHost(target.host)
  return dialChecked({ host, port }, options, (address) =>
    connectTcp({ host: address, port }, options.connectMs, signal),
  )
}

/** Without the brackets of an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** Checks all addresses of a host, then connects to the first that answers. */
async function dialChecked(
  { host, port }: { host: string; port: number },
  options: DialOptions,
  connectTo: (address: string) => Promise<Socket>,
): Promise<Socket> {
  const { mayDial, mayUsePort } = options.rule
  const refusal = mayUsePort(host, port)
  if (refusal !== undefined) throw closedPort(port, refusal)
  const addresses = await findAddresses(host, options)
  let failure: unknown
  for (const address of addresses.slice(0, mostTried)) {
    try {
      const socket = await connectTo(address)
      const reached = socket.remoteAddress
      if (reached === undefined || mayDial(host, reached)) return socket
      socket.destroy()
      throw notPublic(host)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** All of a name's addresses, or a refusal where one of them is forbidden. */
async function findAddresses(
  host: string,
  { rule, connectMs, lookUp = lookUpHere }: DialOptions,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await within(connectMs, lookUp(host), host) : [host]
  if (addresses.length === 0) throw unknownHost(host)
  if (!addresses.every((address) => rule.mayDial(host, address))) throw notPublic(host)
  return addresses
}

async function lookUpHere(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** A resolver that does not answer must not hold a request without a deadline forever. */
async function within<T>(ms: number, work: Promise<T>, host: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unknownHost(host)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function connectBy(
  connect: buildConnector.connector,
  options: buildConnector.Options,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Of a connection that failed there is no socket: whether null or undefined is undici's affair.
    connect(options, (error, socket) => (socket ? resolve(socket) : reject(error)))
  })
}

function connectTcp(
  target: { host: string; port: number },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const socket = connectPlain(target)
    const fail = (error: Error) => {
      clear()
      socket.destroy()
      reject(error)
    }
    const onAbort = () => fail(signal?.reason as Error)
    const timer = setTimeout(() => fail(noAnswer(target)), timeoutMs)
    const clear = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.off('error', fail)
    }
    signal?.addEventListener('abort', onAbort)
    socket.on('error', fail)
    socket.once('connect', () => {
      clear()
      resolve(socket)
    })
  })
}

function noAnswer({ host, port }: { host: string; port: number }): ToolError {
  return new ToolError('upstream_failed', `${host}:${port} does not answer`)
}

function unknownHost(host: string): ToolError {
  return new ToolError('upstream_failed', `No address is known for ${host}`, {
    fix: 'Look at the spelling of the address, and at the name server of this machine.',
  })
}

function notPublic(host: string): ToolError {
  return new ToolError('forbidden', `${host} is not an address of the public internet`, {
    fix: 'An operator can allow servers on this machine or in its networks in the configuration: network.addresses for tools, gateway.addresses and mcpServers for MCP servers.',
  })
}
