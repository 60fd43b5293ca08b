import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/** Ends a composition with a message. */
export const fail = defineTool({
  name: 'flow.fail',
  title: 'Fail',
  description:
    'Fail with a message. Use it as a step of a composition, with a condition, to end the composition when it cannot continue: steps that still wait are cancelled, and nothing is undone.',
  icon: 'circle-x',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: z.object({
    message: z.string().min(1).max(2000).describe('The problem, and how to fix it'),
  }),
  outputSchema: z.object({}),
  examples: [{ label: 'Stop', input: { message: 'The invoice is already paid.' } }],
  execute({ message }) {
    throw new ToolError('tool_failed', message)
  },
})
