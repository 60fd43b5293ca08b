import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { StepCalls } from '../../core/kernel/context/step-calls.ts'
import type { JsonValue, Tool } from '../../core/kernel/tool.ts'

interface StartInput {
  tool: string
  input: Record<string, JsonValue> | null
}

const facts = defineTool({
  name: 'flow.start',
  title: 'Start a tool',
  description:
    'Start another tool without waiting for it. The answer is the id of its call, which runs on its own: it is not cancelled with this one, and its failure fails nothing here.',
  icon: 'player-play',
  effect: 'write',
  openWorld: false,
  inputSchema: z.object({
    tool: z.string().min(1).max(200).describe('The name of the tool'),
    input: z.record(z.string(), z.unknown()).nullable().describe('Its input'),
  }),
  outputSchema: z.object({ callId: z.string(), status: z.string() }),
  examples: [{ label: 'A tool without input', input: { tool: 'skill.list', input: {} } }],
  execute: (): never => {
    throw new ToolError('internal', 'flow.start needs its steps')
  },
})

/** Continued after a crash, it finds the call it has started by its key: none is started twice. */
export const startTool: Tool = Object.freeze({
  ...facts,
  isResumable: true as const,
  behaviour: () => ({ ...staticBehaviour, execute }),
})

const staticBehaviour = {
  parseInput: facts.parseInput,
  parseOutput: (value: unknown) => ({ ok: true as const, value }),
}

async function execute(
  given: unknown,
  _context: unknown,
  steps: StepCalls | undefined,
): Promise<JsonValue> {
  if (steps === undefined) throw new ToolError('internal', 'flow.start needs its steps')
  const { tool, input } = given as StartInput
  const { callId, status, error } = await steps.start({ key: 'start', tool, input: input ?? {} })
  if (callId !== undefined) return { callId, status }
  const { code = 'tool_failed', message = 'It was refused', retryable = false } = error ?? {}
  throw new ToolError(code, message, { retryable })
}
