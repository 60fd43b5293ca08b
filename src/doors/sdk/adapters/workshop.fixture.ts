import { z } from 'zod'
import { contentOutput } from '../../../core/kernel/content.ts'
import { defineTool } from '../../../core/define-tool.ts'
import { ToolError } from '../../../core/kernel/errors.ts'

/** The tools that ran, each with its first input. */
export const ran: string[] = []

const add = defineTool({
  name: 'note.add',
  description: 'Writes a note.',
  effect: 'write',
  inputSchema: z.object({
    text: z.string(),
    tag: z.string().optional(),
    color: z.string().nullable(),
  }),
  execute: ({ text }) => {
    ran.push(`note.add ${text}`)
    return { written: text }
  },
})

const fail = defineTool({
  name: 'note.fail',
  description: 'Writes a note where there is no room.',
  effect: 'write',
  inputSchema: z.object({}),
  execute: () => {
    throw new ToolError('conflict', 'The book is full')
  },
})

const draw = defineTool({
  name: 'chart.draw',
  description: 'Draws a chart.',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () =>
    contentOutput([
      { type: 'text', text: 'Sales' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ]),
})

const publish = defineTool({
  name: 'page.publish',
  description: 'Publishes a page.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ page: z.string() }),
  execute: ({ page }) => {
    ran.push(`page.publish ${page}`)
    return { published: page }
  },
})

const print = defineTool({
  name: 'page.print',
  description: 'Has a page printed somewhere else.',
  effect: 'write',
  execution: 'external',
  inputSchema: z.object({}),
  execute: () => undefined,
})

const long = defineTool({
  name: 'log.read',
  description: 'Reads a long log.',
  effect: 'read',
  maxOutputBytes: 1024,
  inputSchema: z.object({}),
  execute: () => 'line\n'.repeat(1000),
})

/** Of a crib with tools that write, fail, draw and ask; its agent `searcher` has to find them. */
export const workshop = {
  tools: [add, fail, draw, publish, print, long],
  config: {
    agents: [
      { slug: 'searcher', model: 'demo', toolMode: 'search' as const, tools: { allow: ['*'] } },
    ],
  },
}
