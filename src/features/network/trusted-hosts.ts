import type { NetworkGuard } from '../../core/host/host-network.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { portOf } from '../../core/net/port-rule.ts'

/** Private servers that an operator has allowed for the tools of one pack of a tenant. */
export interface TrustedHosts {
  /** Replaces those of a pack. Only for addresses that the operator has named, never for input. */
  set(tenant: string, pack: string, servers: readonly URL[]): void
  of(tenant: string, pack: string): readonly URL[]
}

export function createTrustedHosts(): TrustedHosts {
  const byPack = new Map<string, readonly URL[]>()
  const keyOf = (tenant: string, pack: string) => `${tenant}\n${pack}`
  return {
    set(tenant, pack, servers) {
      if (servers.length > 0) byPack.set(keyOf(tenant, pack), servers)
      else byPack.delete(keyOf(tenant, pack))
    },
    of: (tenant, pack) => byPack.get(keyOf(tenant, pack)) ?? [],
  }
}

/**
 * Of a private host that was named, only the port that was named: a redirect must not lead to
 * whatever else runs there.
 */
export function onlyNamedPorts(guard: NetworkGuard, servers: readonly URL[]): NetworkGuard {
  if (servers.length === 0) return guard
  return {
    ...guard,
    async assertMayReach(host, port) {
      await guard.assertMayReach(host, port)
      const named = servers.filter((url) => bareHost(url) === host.toLowerCase())
      if (named.length === 0 || named.some((url) => portOf(url) === port)) return
      const reason = `${host}:${port} is not the address that was allowed`
      guard.onRefused?.(host, port, reason)
      throw new ToolError('forbidden', reason)
    },
  }
}

function bareHost({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '')
}
