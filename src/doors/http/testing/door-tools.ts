import { z } from 'zod'
import { mcpServerSchema } from '../../../core/gateway/server-spec.ts'
import { defineTool } from '../../../core/define-tool.ts'
import type { Tool } from '../../../core/kernel/tool.ts'
import { toGatewayTool } from '../../../gateway/tools/to-gateway-tool.ts'

const inputSchema = z.looseObject({})

/** Resolves when the signal is aborted. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One tool for each way in which a call can go. */
export const doorTools: readonly Tool[] = [
  defineTool({
    name: 'text.echo',
    title: 'Echo <b>text</b>',
    description: 'Returns its input.',
    effect: 'read',
    inputSchema: { type: 'object' },
    execute: (input) => input,
  }),
  toGatewayTool({
    server: 'docs',
    spec: mcpServerSchema.parse({ command: 'docs' }),
    localName: 'search',
    definition: {
      description: 'Searches the documents.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    },
    secrets: [],
    execute: (input) => input,
  }).tool,
  defineTool({
    name: 'billing.refund',
    description: 'Refunds an invoice, if a person approves.',
    effect: 'destructive',
    approval: 'always',
    inputSchema,
    execute: () => ({ refunded: true }),
  }),
  defineTool({
    name: 'text.stream',
    description: 'Writes three words, one after the other.',
    effect: 'read',
    inputSchema,
    async *execute() {
      for (const word of ['one', 'two', 'three']) {
        await pause(5)
        yield word
      }
      return 'one two three'
    },
  }),
  defineTool({
    name: 'text.flood',
    description: 'Writes more than anybody reads.',
    effect: 'read',
    inputSchema,
    async *execute() {
      for (let i = 0; i < 5_000; i += 1) yield `${i} ${'x'.repeat(1_000)}`
      return 'done'
    },
  }),
  defineTool({
    name: 'time.forever',
    description: 'Runs until it is cancelled.',
    effect: 'read',
    inputSchema,
    async execute(_input, { signal, progress }) {
      progress({ message: 'waiting' })
      await untilAborted(signal)
      return null
    },
  }),
  defineTool({
    name: 'time.pause',
    description: 'Rests for a while.',
    effect: 'read',
    inputSchema: z.object({ ms: z.number().default(50) }),
    async execute({ ms }) {
      await pause(ms)
      return 'rested'
    },
  }),
  defineTool({
    name: 'report.build',
    description: 'Builds a report in the background.',
    effect: 'write',
    execution: 'background',
    inputSchema,
    async execute(_input, { progress }) {
      await pause(20)
      progress({ done: 1, total: 2 })
      await pause(20)
      return { pages: 3 }
    },
  }),
]
