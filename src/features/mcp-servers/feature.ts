import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { connectionOperations } from './connection-operations.ts'
import { mcpServerOperations } from './operations.ts'
import { mcpToolOperations } from './tool-operations.ts'
import { createTestPermits } from './try-server.ts'

/** MCP servers whose tools are brought in. The gateway connects to them. */
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
    return { operations: openOperations(operations, parts) }
  },
}
