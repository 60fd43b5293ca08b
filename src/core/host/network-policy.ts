/** Whom a network rule is asked for. */
export interface NetworkScope {
  tenant: string
  agent?: string | undefined
  /** The pack of the tool, or `code` for tools of the operator. */
  pack: string
  tool?: string | undefined
}

/** The verdict about a host, with the rule that decided. */
export interface HostVerdict {
  verdict: 'allow' | 'deny'
  /** The pattern that decided, or why there was none. */
  rule: string
  setBy: string
}

/** What one scope may reach. Pure: names are compared here, addresses when they are dialled. */
export interface NetworkPolicy {
  decide(host: string, port: number): HostVerdict
}

export interface NetworkRules {
  /** The rules now; drops them with the tenant's other rules when they change. */
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
  /** Of the calls that use the door, for events. */
  callId?: string | undefined
  sessionId?: string | undefined
  /** The folder for the socket, and its owner. */
  folder: string
  owner: { uid: number; gid: number } | undefined
}) => Promise<EgressDoor>
