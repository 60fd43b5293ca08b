import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/**
 * Calls another tool. It never runs itself: a request through it is unwrapped to the tool it names
 * before anything is decided (`core/search/unwrap-call.ts`).
 */
export const callAnyTool = defineTool({
  name: 'tools.call',
  title: 'Call a tool',
  description:
    'Use a tool that you found with tools.search: its name, and its input as JSON text that matches the schema from tools.describe. The answer is that tool’s own.',
  icon: 'play',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: z.object({
    name: z.string().min(1).max(200).describe('The name of the tool, as tools.search gives it'),
    // As text: no provider's strict mode takes an object that may be anything.
    input: z.string().max(1_000_000).describe('Its input as JSON text that matches its schema'),
  }),
  examples: [{ label: 'A tool without input', input: { name: 'skill.list', input: '{}' } }],

  execute() {
    throw new ToolError('internal', 'tools.call reached a tool; it stands for another one')
  },
})
