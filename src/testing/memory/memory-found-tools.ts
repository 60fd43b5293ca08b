import { foundAtMost, type FoundToolStore } from '../../core/search/tool-finder.ts'

/** Found tools in memory. */
export function createMemoryFoundTools(): FoundToolStore {
  const found = new Map<string, Set<string>>()
  const keyOf = (tenant: string, sessionId: string) => JSON.stringify([tenant, sessionId])
  return {
    read: async (tenant, sessionId) => [...(found.get(keyOf(tenant, sessionId)) ?? [])],
    async add(tenant, sessionId, tools) {
      const known = found.get(keyOf(tenant, sessionId)) ?? new Set()
      for (const tool of tools) {
        known.delete(tool)
        known.add(tool)
      }
      found.set(keyOf(tenant, sessionId), new Set([...known].slice(-foundAtMost)))
    },
  }
}
