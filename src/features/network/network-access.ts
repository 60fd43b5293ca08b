import type { NetworkGuard } from '../../core/host/host-network.ts'
import type { Host } from '../../core/host/host.ts'
import type {
  HostVerdict,
  NetworkRules,
  NetworkScope,
  OpenEgress,
} from '../../core/host/network-policy.ts'
import { createNetworkPolicy } from '../../core/host/decide-host.ts'
import type { Web } from '../../core/kernel/context/web.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Principal } from '../../core/kernel/call.ts'
import type { CapabilityCall } from '../../core/pipeline/capabilities/capability.ts'
import type { Store } from '../../core/ports.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import { createDenials, type Denial } from './denials.ts'
import { type NetworkSettings, toLevels } from './levels.ts'
import { createTrustedHosts, onlyNamedPorts, type TrustedHosts } from './trusted-hosts.ts'
import { createWeb } from './web.ts'

/** The network as rules allow it, for tools and sandboxes. */
export interface NetworkAccess {
  readonly rules: NetworkRules
  /** `ctx.web` of one call. */
  webFor(call: CapabilityCall): Web
  /** Requests of the server itself, for a pack of a tenant, under the same rules. */
  fetchFor(request: OwnRequest): Web['fetch']
  /** Private servers that tools may reach. */
  readonly trusted: TrustedHosts
  readonly openEgress: OpenEgress
  close(): Promise<void>
}

/** A request that no call makes. */
export interface OwnRequest {
  scope: Pick<NetworkScope, 'tenant' | 'pack'>
  principal: Principal
  /** Addresses that somebody who may has named: they may be private. */
  trusted: readonly URL[]
}

export interface NetworkAccessOptions {
  settings: NetworkSettings
  rules: Pick<TenantRules, 'list'>
  store: Pick<Store, 'events' | 'now'>
  host: Pick<Host, 'network'>
  onWarning(message: string): void
}

const system = { kind: 'system', id: 'network' } as const

/** Opens the network for all callers of this server. */
export function openNetworkAccess(options: NetworkAccessOptions): NetworkAccess {
  const { settings, store, host, onWarning } = options
  const { events, now } = store
  const denials = createDenials({ events, now, onWarning })
  const trusted = createTrustedHosts()
  const rules: NetworkRules = {
    async policyFor(scope) {
      const own = await options.rules.list(scope.tenant, 'network')
      return createNetworkPolicy(toLevels(scope, settings, own), scope)
    },
  }
  function guardFor(scope: NetworkScope, from: DialOrigin): NetworkGuard {
    const facts = toFacts(scope, from)
    const record = (host: string, port: number, verdict: Omit<HostVerdict, 'verdict' | 'id'>) => {
      const { rule, level, setBy } = verdict
      denials.record({ ...facts, data: { ...facts.data, host, port, rule, level, setBy } })
    }
    return {
      async assertMayReach(host, port) {
        const verdict = (await rules.policyFor(scope)).decide(host, port)
        if (verdict.verdict === 'allow') return
        record(host, port, verdict)
        throw hostDenied(host, port, verdict)
      },
      onRefused: (host, port, rule) =>
        record(host, port, { rule, level: 'address', setBy: 'toolcrib' }),
    }
  }
  return {
    rules,
    webFor(call) {
      const { caller, contract, callId } = call
      const { tenant, agent, parents, sessionId, principal } = caller
      const scope = { tenant, agent, parents, pack: contract.pack, tool: contract.name }
      const guard = guardFor(scope, { callId, sessionId, principal })
      // Others may call their pack what they like.
      const servers = contract.source === 'api' ? trusted.of(tenant, contract.pack) : []
      const route = toRoute(scope, servers)
      const fetch = host.network.fetchFor(route, onlyNamedPorts(guard, servers))
      return createWeb({ fetch, signal: call.signal() })
    },
    fetchFor({ scope, principal, trusted: named }) {
      const guard = guardFor(scope, { callId: undefined, sessionId: undefined, principal })
      return host.network.fetchFor(toRoute(scope, named), onlyNamedPorts(guard, named))
    },
    trusted,
    openEgress: ({ scope, callId, sessionId, ...door }) =>
      host.network.openDoor({
        ...door,
        relays: door.relays ?? {},
        route: toRoute(scope, []),
        guard: guardFor(scope, { callId, sessionId, principal: system }),
      }),
    close: denials.close,
  }
}

/** Tenants and packs share no connections, and neither do those that may reach other servers. */
function toRoute({ tenant, pack }: NetworkScope, trusted: readonly URL[]) {
  const hosts = trusted.map(({ host }) => host)
  return { key: JSON.stringify(['tool', tenant, pack, ...hosts]), trusted }
}

interface DialOrigin {
  callId: string | undefined
  sessionId: string | undefined
  principal: Principal
}

type Facts = Omit<Denial, 'data'> & {
  data: Pick<Denial['data'], 'pack' | 'tool' | 'agent' | 'callId'>
}

function toFacts(
  { tenant, pack, tool, agent }: NetworkScope,
  { callId, sessionId, principal }: DialOrigin,
): Facts {
  const data = {
    pack,
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
    ...(callId !== undefined && { callId }),
  }
  return { tenant, principal, sessionId, data }
}

function hostDenied(host: string, port: number, { rule, level }: HostVerdict): ToolError {
  return new ToolError(
    'denied',
    `The network rules do not allow ${host}:${port} (${level}: ${rule})`,
    {
      fix: `toolcrib network explain ${host} shows the rules; an admin can allow the host.`,
    },
  )
}
