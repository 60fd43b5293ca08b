import { hostname } from 'node:os'
import { defineTool, z } from 'toolcrib'

/** Shows that calls are spread over the nodes. */
export default defineTool({
  name: 'node.name',
  title: 'Name of the node',
  description: 'Say which node answered this call. Use it to see how calls are spread.',
  effect: 'read',
  inputSchema: z.object({}),
  outputSchema: z.object({ host: z.string(), pid: z.int() }),
  execute: () => ({ host: hostname(), pid: process.pid }),
})
