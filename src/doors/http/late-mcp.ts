import type { McpDoor, McpDoorOptions } from '../mcp/mcp-door.ts'
import type { McpLane } from './mcp-lane.ts'
import type { Entrance } from './serve-route.ts'

/** The MCP door as its host needs it, and the short way to it. */
export interface LateMcp {
  door: Pick<McpDoor, 'handle' | 'findReady' | 'drain'>
  lane: McpLane
}

interface Loaded {
  door: McpDoor
  lane: McpLane
}

/**
 * Loads the MCP door with the first request for it: the protocol's SDK takes a tenth of the memory
 * of an idle server, and many never meet a client. Until then the short way leaves all to the door.
 */
export function createLateMcp(entrance: Entrance, options: McpDoorOptions): LateMcp {
  let loading: Promise<Loaded> | undefined
  let loaded: Loaded | undefined
  let isDrained = false
  async function load(): Promise<Loaded> {
    const [{ createMcpDoor }, { createMcpLane }] = await Promise.all([
      import('../mcp/mcp-door.ts'),
      import('./mcp-lane.ts'),
    ])
    const door = createMcpDoor(options)
    if (isDrained) door.drain()
    loaded = { door, lane: createMcpLane(entrance, door) }
    return loaded
  }
  const open = () => (loading ??= load())
  return {
    door: {
      handle: async (arrival) => (await open()).door.handle(arrival),
      findReady: async (arrival) => (await open()).door.findReady(arrival),
      drain() {
        isDrained = true
        loaded?.door.drain()
      },
    },
    lane: (incoming, outgoing, goOn) => loaded?.lane(incoming, outgoing, goOn) ?? false,
  }
}
