import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import type { buildConnector } from 'undici'
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

/**
 * Dials only allowed addresses. A name is looked up here, once, and the connection goes to one of
 * the addresses that were checked, so a different answer the next time has no effect. A check in
 * `lookup` would not see literal addresses.
 */
export function createGuardedConnector(
  { mayDial, mayUsePort }: DialRule,
  timeoutMs: number,
): buildConnector.connector {
  const connect = undici().buildConnector({ timeout: timeoutMs })
  async function open(options: buildConnector.Options): Promise<Socket> {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const port = portOf(options)
    const refusal = mayUsePort(host, port)
    if (refusal !== undefined) throw closedPort(port, refusal)
    const addresses = await findAddresses(host, mayDial)
    return dialFirst(connect, { options, host, addresses, mayDial })
  }
  return (options, callback) => {
    const answer = callbackify(open)
    answer(options, (error, socket) => (error ? callback(error, null) : callback(null, socket)))
  }
}

/** All of a name's addresses, or a refusal where one of them is forbidden. */
async function findAddresses(host: string, mayDial: MayDial): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await lookUp(host) : [host]
  const refused = addresses.find((address) => !mayDial(host, address))
  if (refused !== undefined) throw notPublic(host)
  return addresses
}

async function lookUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  if (found.length > 0) return found.map(({ address }) => address)
  throw new ToolError('upstream_failed', `No address is known for ${host}`, {
    fix: 'Look at the spelling of the address, and at the name server of this machine.',
  })
}

interface Dial {
  options: buildConnector.Options
  host: string
  addresses: readonly string[]
  mayDial: MayDial
}

/** One after the other: a host whose first address is dead may have another. */
async function dialFirst(
  connect: buildConnector.connector,
  { options, host, addresses, mayDial }: Dial,
): Promise<Socket> {
  // Certificates are checked against the name, not against the address.
  const servername = options.servername ?? (isIP(host) === 0 ? host : undefined)
  let failure: unknown
  for (const hostname of addresses) {
    try {
      const socket = await dial(connect, { ...options, hostname, servername })
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

function dial(connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Of a connection that failed there is no socket: whether null or undefined is undici's affair.
    connect(options, (error, socket) => (socket ? resolve(socket) : reject(error)))
  })
}

function notPublic(host: string): ToolError {
  return new ToolError('forbidden', `${host} is not an address of the public internet`, {
    fix: 'Servers on this machine or in its networks are declared in the configuration (mcpServers), or allowed there (gateway.addresses).',
  })
}
