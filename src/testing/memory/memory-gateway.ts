import type { GatewayStore, KnownServer, ServerKey } from '../../core/gateway/gateway-store.ts'

/** What is known of MCP servers, in memory. */
export function createMemoryGateway(): GatewayStore {
  const known = new Map<string, KnownServer>()
  const nameOf = ({ tenant, server }: ServerKey) => `${tenant}\n${server}`
  return {
    list: async (tenant) =>
      [...known.values()]
        .filter((one) => one.tenant === tenant)
        .sort((left, right) => (left.server < right.server ? -1 : 1)),
    find: async (key) => known.get(nameOf(key)),
    write: async (one) => void known.set(nameOf(one), structuredClone(one)),
    forget: async (key) => known.delete(nameOf(key)),
  }
}
