import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'

const dayMs = 86_400_000

/** Starts agents like the calling one, each with its own task. */
export const spawnAgents = defineTool({
  name: 'agents.spawn',
  title: 'Send out agents',
  description:
    'Send out 1 to 10 agents that work at the same time, each on a task of its own, and get their answers in order. They have your tools, except this one, and know nothing of this conversation: say everything they need in the prompt. Use it for parts of a task that do not depend on each other; do small things yourself.',
  icon: 'users',
  effect: 'write',
  // Begun again after a crash, it finds the agents that it had sent out.
  idempotent: true,
  openWorld: false,
  execution: 'external',
  completionMs: dayMs,
  timeoutMs: 60_000,
  maxOutputBytes: 262_144,
  runtimes: ['chat', 'task'],
  inputSchema: z.object({
    tasks: z
      .array(
        z.object({
          prompt: z
            .string()
            .min(1)
            .max(50_000)
            .describe('The complete task: the agent sees nothing else'),
        }),
      )
      .min(1)
      .max(10)
      .describe('One agent for each'),
    maxSteps: z.int().min(1).max(10).nullable().describe('Model calls that each may make (10)'),
    maxTokens: z
      .int()
      .min(1000)
      .nullable()
      .describe('Tokens that each may use (default: no limit of its own)'),
  }),
  outputSchema: z.object({
    results: z.array(
      z.object({
        status: z.string().describe('completed, failed or cancelled'),
        answer: z.string(),
        error: z.string().min(1).nullable(),
        conversationId: z.string(),
      }),
    ),
  }),
  examples: [
    {
      label: 'Look into two things at once',
      input: {
        tasks: [
          { prompt: 'Find out when the office opens.' },
          { prompt: 'Find out who is on duty.' },
        ],
        maxSteps: null,
        maxTokens: null,
      },
    },
  ],

  async execute({ tasks, maxSteps, maxTokens }, { agents }) {
    if (agents === undefined) throw new ToolError('tool_failed', 'This server runs no agents')
    const bounds = {
      ...(maxSteps !== null && { maxSteps }),
      ...(maxTokens !== null && { maxTokens }),
    }
    await agents.start(tasks.map(({ prompt }) => ({ prompt, ...bounds })))
    return { results: [] }
  },
})
