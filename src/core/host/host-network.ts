/** The owner and bounds of requests. Requests of one route share connections with no other route. */
export interface NetworkRoute {
  /** One for each tenant and policy. */
  key: string
  /** Asked for every request and every redirect, before its name is looked up. Throws to refuse. */
  assertMayReach?(host: string, port: number): void
  /** Servers that the operator has named: their hosts may be anywhere, at just these ports. */
  trusted?: readonly URL[]
}

/** All outgoing connections of this machine. The address of each connection is checked when it is dialled. */
export interface HostNetwork {
  fetchFor(route: NetworkRoute): (url: string | URL, init?: RequestInit) => Promise<Response>
}
