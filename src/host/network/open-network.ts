import type { Agent } from 'undici'
import type { HostNetwork, NetworkGuard, NetworkRoute } from '../../core/host/host-network.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { parseAddressList } from '../../core/net/address-list.ts'
import { toPortRule } from '../../core/net/port-rule.ts'
import { toDialRule } from './dial-rule.ts'
import { bareHost, type DialOptions, dialTcp, type LookUp } from './guarded-connector.ts'
import { createGuardedAgent, fetchOver } from './guarded-fetch.ts'

/** Additions of the operator to public addresses and the usual ports. */
export interface NetworkBounds {
  addresses: readonly string[]
  ports: readonly number[]
  /** The resolver of this machine by default. */
  lookUp?: LookUp
}

export interface OpenNetwork extends HostNetwork {
  /** For clients that bring their own fetch. */
  dispatcherFor(route: NetworkRoute): Agent
  close(): Promise<void>
}

/** Routes with connections. One that is used again later dials again. */
const mostRoutes = 512
const connectMs = 10_000

/** The network of this machine. Nothing is dialled before somebody asks. */
export function openNetwork(bounds: NetworkBounds): OpenNetwork {
  const allowed = parseAddressList(bounds.addresses) ?? (() => false)
  const usual = toPortRule(bounds.ports)
  const agents = new Map<string, Agent>()

  function toDialling({ trusted = [], tls }: NetworkRoute): DialOptions {
    const rule = toDialRule({ allowed, trusted, ports: usual })
    return { rule, connectMs, tls, lookUp: bounds.lookUp }
  }
  function agentOf(route: NetworkRoute): Agent {
    const known = agents.get(route.key)
    const agent = known ?? createGuardedAgent(toDialling(route))
    // The last of the map is the one that was used last.
    agents.delete(route.key)
    agents.set(route.key, agent)
    if (known === undefined) closeOldest(agents)
    return agent
  }
  const network: OpenNetwork = {
    fetchFor: (route, guard) => (input, request) =>
      fetchOver(agentOf(route), guard)(input, request),
    dispatcherFor: agentOf,
    async dial(route, { host, port, ports, signal }, guard) {
      const bare = bareHost(host)
      await guard?.assertMayReach(bare, port)
      const dialling = toDialling(route)
      const mayUsePort = () => (ports.includes(port) ? undefined : ('other protocol' as const))
      const rule = { ...dialling.rule, mayUsePort }
      return reporting({ host: bare, port, guard }, () =>
        dialTcp({ host: bare, port, signal }, { ...dialling, rule }),
      )
    },
    async openDoor(options) {
      const { openDoor } = await import('./egress/open-door.ts')
      const opensPort = (port: number) => bounds.ports.includes(port) || usual(port) === undefined
      return openDoor(options, { network, opensPort })
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
      agents.clear()
    },
  }
  return network
}

/** Its running requests end first. */
function closeOldest(agents: Map<string, Agent>): void {
  const [oldest] = agents
  if (agents.size <= mostRoutes || oldest === undefined) return
  const [key, agent] = oldest
  agents.delete(key)
  void agent.close().catch(() => undefined)
}

async function reporting<T>(
  { host, port, guard }: { host: string; port: number; guard: NetworkGuard | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isToolError(error) && error.code === 'forbidden') {
      guard?.onRefused?.(host, port, error.message)
    }
    throw error
  }
}
