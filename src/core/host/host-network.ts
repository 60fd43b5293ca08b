import type { RelayHandler } from '../kernel/context/processes.ts'
import type { Web } from '../kernel/context/web.ts'
import type { EgressDoor } from './network-policy.ts'

/** The owner and bounds of connections. Requests of one route share them with no other route. */
export interface NetworkRoute {
  /** One for each tenant and policy. */
  key: string
  /** Servers that the operator has named: their hosts may be anywhere. Never set by a tool's input. */
  trusted?: readonly URL[]
  /** Certificates instead of those of this machine, and the client's own. */
  tls?: NetworkIdentity
}

/** As PEM. */
export interface NetworkIdentity {
  ca?: string
  cert?: string
  key?: string
}

/** Asked for every request and every redirect of one user of a route. */
export interface NetworkGuard {
  /** Called before the name is looked up. Throws to refuse. */
  assertMayReach(host: string, port: number): Promise<void> | void
  /** The address or the port of a host was refused when it was dialled. */
  onRefused?(host: string, port: number, reason: string): void
}

export interface TcpTarget {
  host: string
  port: number
  /** Ports that are open to this protocol. Chosen by the code of a pack, never by its input. */
  ports: readonly number[]
  signal?: AbortSignal
}

export interface DoorOptions {
  route: NetworkRoute
  guard: NetworkGuard
  /** The folder for the socket, and its owner. */
  folder: string
  owner: { uid: number; gid: number } | undefined
  relays?: Readonly<Record<string, RelayHandler>>
}

/** All outgoing connections of this machine. The address of each one is checked when it is dialled. */
export interface HostNetwork {
  /** As the global `fetch`. Limits hold only where the request sets them. */
  fetchFor(route: NetworkRoute, guard?: NetworkGuard): Web['fetch']
  /** A plain connection, for protocols other than HTTP. */
  dial(
    route: NetworkRoute,
    target: TcpTarget,
    guard?: NetworkGuard,
  ): Promise<NodeJS.ReadWriteStream & { destroy(error?: Error): unknown }>
  openDoor(options: DoorOptions): Promise<EgressDoor>
}
