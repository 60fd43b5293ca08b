import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'

const usual = 8

/** Finds tools that fit a task among all that the caller may use. */
export const searchTools = defineTool({
  name: 'tools.search',
  title: 'Search tools',
  description:
    'Find tools for a task among all you may use; most are not listed. Give a few words of what you want to do. Then read how to use the best with tools.describe, and use it with tools.call or, once it is listed, directly.',
  icon: 'search',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: z.object({
    query: z.string().min(1).max(2000).describe('What you want to do, in a few words'),
    limit: z.int().min(1).max(50).nullable().describe(`How many to give at most (${usual})`),
  }),
  outputSchema: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        effect: z.enum(['read', 'write', 'destructive']),
      }),
    ),
    searched: z.int().describe('Among how many tools'),
  }),
  examples: [
    { label: 'Something with invoices', input: { query: 'refund an invoice', limit: null } },
  ],
  sections: [{ key: 'tools', label: 'Tools', type: 'table' }],

  async execute({ query, limit }, { tools }) {
    const { found, of } = await tools.search(query, limit ?? usual)
    return { tools: found, searched: of }
  },
})
