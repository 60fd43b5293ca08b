import { jsonSchema } from 'ai'
import type { ToolPort } from '../../core/tool-port.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import { toToolOutput } from '../tool-output.ts'
import { type AdapterOptions, openRun } from './open-run.ts'

/** `createTool` of `@mastra/core`, as far as it is used here. */
type ToolFactory<T> = (definition: never) => T

interface MastraContext {
  agent?: { toolCallId?: string }
  abortSignal?: AbortSignal
}

/** A crib's tools for Mastra, by name: give it the SDK's own `createTool` function. */
export async function toMastra<T>(
  port: ToolPort,
  { createTool, ...options }: AdapterOptions & { createTool: ToolFactory<T> },
): Promise<{ tools: Record<string, T>; runId: string }> {
  const open = await openRun(port, options)
  const entries = open.offer.tools.map((offered) => {
    const { schema } = toProviderSchema(offered.inputSchema, 'plain', false)
    const definition = {
      id: offered.wireName,
      description: offered.description,
      inputSchema: jsonSchema(structuredClone(schema)),
      // Mastra runs what needs an approval only once it has one; the crib still has the last word.
      ...(offered.asks && { requireApproval: true }),
      execute: async (input: unknown, context?: MastraContext) => {
        const toolCallId = context?.agent?.toolCallId ?? open.runId
        const name = offered.wireName
        const signal = context?.abortSignal
        return toToolOutput(
          await open.call({ name, toolCallId, input, signal, isApproved: offered.asks }),
        )
      },
    }
    return [offered.wireName, createTool(definition as never)] as const
  })
  return { tools: Object.fromEntries(entries), runId: open.runId }
}
