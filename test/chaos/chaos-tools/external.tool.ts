import { appendFileSync } from 'node:fs'
import { defineTool, z } from 'toolcrib'
import { openRun } from './journal.ts'

/** Where the outside worker finds its work. */
const file = process.env['CHAOS_HANDED_OVER'] ?? ''

export const handOver = defineTool({
  name: 'chaos.hand-over',
  description: 'Hands its work to a worker outside, which ends the call.',
  effect: 'write',
  execution: 'external',
  inputSchema: z.object({ operation: z.string() }),
  async execute({ operation }, context) {
    const { callId } = context
    const { completion } = context as { completion?: { url: string; token: string } }
    const run = openRun({ callId, tool: 'chaos.hand-over', operation })
    run.takeEffect()
    appendFileSync(file, `${JSON.stringify({ callId, operation, ...completion })}\n`)
    return { operation }
  },
})
