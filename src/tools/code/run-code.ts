import { z } from 'zod'
import { runInCall } from '../../core/code/run-in-call.ts'
import { toTool } from '../../core/define-tool.ts'
import { toJsonSchema } from '../../core/schema/to-json-schema.ts'

const input = z.object({
  source: z
    .string()
    .min(1)
    .max(200_000)
    .describe('The body of an async function, which returns the result'),
  language: z
    .enum(['js', 'ts'])
    .nullable()
    .describe('js, or ts, whose types are removed and not checked (js)'),
})

const output = z.object({
  result: z.unknown().nullable().describe('The returned value'),
  logs: z.array(z.string()).describe('Lines written with console.log'),
})

/** Runs a program of the caller, which calls tools as the caller may. */
export const runCode = toTool(
  {
    name: 'code.run',
    source: 'builtin',
    title: 'Run a program',
    description:
      'Run JavaScript that calls tools: several calls at once or in a loop, and only the part of their results that you need. Call a tool with `await tools.billing.find({ id })`, or `await callTool("mcp:files:read", input)` for any name; a failed call throws an error with `code` and `message`. Find tools with `await search("words")`. Return the result as JSON; console.log adds lines. There are no files, no network, no imports and no timers. Each call is decided and recorded as if you had made it.',
    icon: 'code',
    effect: 'write',
    openWorld: true,
    timeoutMs: 120_000,
    maxOutputBytes: 262_144,
    inputSchema: toJsonSchema(input, 'input'),
    outputSchema: toJsonSchema(output, 'output'),
    examples: [
      {
        label: 'Find tools',
        input: { source: 'return await search("refund an invoice")', language: null },
      },
      {
        label: 'Count in a loop',
        input: {
          source: 'let sum = 0\nfor (let n = 1; n <= 10; n++) sum += n\nreturn { sum }',
          language: 'js',
        },
      },
    ],
    sections: [
      { key: 'result', label: 'Result', type: 'json' },
      { key: 'logs', label: 'Log', type: 'terminal' },
    ],
  },
  {
    isResumable: true,
    preview: 'calls',
    async execute(given, ctx, steps) {
      const { source, language } = given as z.output<typeof input>
      const { value, logs } = await runInCall({ source, language: language ?? 'js' }, ctx, steps)
      return { result: value, logs }
    },
  },
)
