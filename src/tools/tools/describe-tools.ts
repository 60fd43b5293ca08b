import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'

/** How tools are used that were found. */
export const describeTools = defineTool({
  name: 'tools.describe',
  title: 'Describe tools',
  description:
    'Read how to use tools: description, input schema and examples of up to ten of them, by the names that tools.search gives. Then call one with tools.call.',
  icon: 'file-search',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  maxOutputBytes: 262_144,
  inputSchema: z.object({
    names: z.array(z.string().min(1).max(200)).min(1).max(10).describe('Names of tools'),
  }),
  outputSchema: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        wireName: z.string().describe('Its name in lists'),
        title: z.string(),
        description: z.string(),
        effect: z.enum(['read', 'write', 'destructive']),
        needsApproval: z.boolean().describe('A person is asked before it runs'),
        inputSchema: z.string().describe('JSON Schema of its input, as JSON text'),
        outputSchema: z.string().optional().describe('The schema of its output, if it has one'),
        examples: z.array(
          z.object({ label: z.string(), input: z.string().describe('As tools.call takes it') }),
        ),
      }),
    ),
    unknown: z
      .array(z.string())
      .optional()
      .describe('Names that no tool has; search for them with tools.search'),
  }),
  examples: [{ label: 'One tool', input: { names: ['skill.list'] } }],

  async execute({ names }, { tools }) {
    const { sheets, unknown } = await tools.describe(names)
    return {
      tools: sheets.map(({ inputSchema, outputSchema, examples, ...sheet }) => ({
        ...sheet,
        inputSchema: JSON.stringify(inputSchema),
        ...(outputSchema && { outputSchema: JSON.stringify(outputSchema) }),
        examples: examples.map(({ label, input }) => ({ label, input: JSON.stringify(input) })),
      })),
      ...(unknown.length > 0 && { unknown }),
    }
  },
})
