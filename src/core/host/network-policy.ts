import type { RelayHandler } from '../kernel/context/processes.ts'

/** The subject of network rules: a tool of one pack, called by somebody. */
export interface NetworkScope {
  tenant: string
  agent?: string | undefined
  /** Agents above this one: their rules narrow as well. */
  parents?: readonly string[] | undefined
  /** The pack of the tool, or `code` for tools of the operator. */
  pack: string
  tool?: string | undefined
  /** Programs in a sandbox reach only hosts that a rule for their pack names. */
  isSandbox?: boolean | undefined
}

/** The verdict about a host, with the rule that decided. */
export interface HostVerdict {
  verdict: 'allow' | 'deny'
  /** The pattern that decided, or why there was none. */
  rule: string
  /** `global`, `tenant`, `agent:<slug>`, or `default` where no rule decided. */
  level: string
  setBy: string
  /** The id of the rule with the pattern. */
  id?: string | undefined
}

/** The hosts that one scope may reach. Pure: names are compared here, addresses when dialled. */
export interface NetworkPolicy {
  /** False if a sandbox with these rules can reach no host at all. */
  readonly allowsSome: boolean
  decide(host: string, port: number): HostVerdict
  /** The verdict of every level, the outermost first; the last is the default. */
  explain(host: string, port: number): HostVerdict[]
}

export interface NetworkRules {
  /** The current rules. A change applies within a second, on every node. */
  policyFor(scope: NetworkScope): Promise<NetworkPolicy>
}

/** A door to the network for a sandbox, which has no other. */
export interface EgressDoor {
  /** A Unix socket that speaks HTTP proxy: CONNECT, and absolute addresses for plain HTTP. */
  readonly socket: string
  close(): Promise<void>
}

/** Opens doors. Every denied dial is recorded as an event. */
export type OpenEgress = (options: {
  scope: NetworkScope
  /** The call and session that use the door, for events. */
  callId?: string | undefined
  sessionId?: string | undefined
  /** The folder for the socket, and its owner. */
  folder: string
  owner: { uid: number; gid: number } | undefined
  /** Answer `http://<name>.internal` through the same socket. */
  relays?: Readonly<Record<string, RelayHandler>> | undefined
}) => Promise<EgressDoor>
