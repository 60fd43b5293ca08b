import type { McpDoor, McpDoorOptions } from '../mcp/mcp-door.ts'
import type { McpFastPath } from './mcp-fast-path.ts'
import type { HttpGate } from './serve-route.ts'

/** The MCP door as its host needs it, and the short way to it. */
export interface LazyMcpDoor {
  door: Pick<McpDoor, 'handle' | 'findReady' | 'drain'>
  fastPath: McpFastPath
}

interface Loaded {
  door: McpDoor
  fastPath: McpFastPath
}

/**
 * Loads the MCP door with the first request for it: the protocol's SDK takes a tenth of the memory
 * of an idle server, and many never meet a client. Until then the short way leaves all to the door.
 */
export function createLazyMcpDoor(gate: HttpGate, options: McpDoorOptions): LazyMcpDoor {
  let loading: Promise<Loaded> | undefined
  let loaded: Loaded | undefined
  let isDrained = false
  async function load(): Promise<Loaded> {
    const [{ createMcpDoor }, { createMcpFastPath }] = await Promise.all([
      import('../mcp/mcp-door.ts'),
      import('./mcp-fast-path.ts'),
    ])
    const door = createMcpDoor(options)
    if (isDrained) door.drain()
    loaded = { door, fastPath: createMcpFastPath(gate, door) }
    return loaded
  }
  const open = () => (loading ??= load())
  return {
    door: {
      handle: async (incoming) => (await open()).door.handle(incoming),
      findReady: async (incoming) => (await open()).door.findReady(incoming),
      drain() {
        isDrained = true
        loaded?.door.drain()
      },
    },
    fastPath: (incoming, outgoing, goOn) => loaded?.fastPath(incoming, outgoing, goOn) ?? false,
  }
}
