// A tool that a worker thread runs: try-package.mjs puts it beside the starter's own.
import { isMainThread } from 'node:worker_threads'
import { defineTool, z } from 'toolcrib'

export default defineTool({
  name: 'work.where',
  title: 'Where it runs',
  description: 'Say whether it runs beside the server, or compute until it is stopped.',
  effect: 'read',
  isolation: 'worker',
  timeoutMs: 2000,
  inputSchema: z.object({ endless: z.boolean().default(false).describe('Never come to an end') }),
  outputSchema: z.object({ isMainThread: z.boolean() }),
  examples: [{ label: 'Where?', input: {} }],
  execute({ endless }) {
    if (endless) for (;;);
    return { isMainThread }
  },
})
