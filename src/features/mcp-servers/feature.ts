import { openOperations } from '../../core/operations/run-operation.ts'
import type { Stores } from '../stores.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { Feature } from '../feature.ts'
import { connectionOperations } from './connection-operations.ts'
import { mcpServerOperations } from './operations.ts'
import { mcpToolOperations } from './tool-operations.ts'
import { createTestPermits } from './try-server.ts'

/** MCP servers and their tools. The gateway connects to them. */
export const mcpServersFeature: Feature = {
  name: 'mcp-servers',
  open({ store, rules, config, mcp }) {
    const parts = {
      ...mcp,
      store,
      rules,
      declared: config.mcpServers,
      testPermits: createTestPermits(),
      restarts: new Map(),
    }
    const operations = { ...mcpServerOperations, ...mcpToolOperations, ...connectionOperations }
    return {
      operations: openOperations(operations, parts),
      library: [mcp.gateway.library],
      sweeps: [lostSignIns(store)],
    }
  },
}

/** Removes sign-ins that were never completed. */
function lostSignIns({ connections }: Pick<Stores, 'connections'>): Sweep {
  const run = () => connections.sweep()
  return { name: 'MCP sign-ins', everyMs: 600_000, isWoken: false, run }
}
