import { jsonSchema } from 'ai'
import { createId } from '../../core/ids.ts'
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
        // Only in an agent's run has somebody been asked: a workflow may call the tool by itself.
        const toolCallId = context?.agent?.toolCallId
        const isApproved = offered.asks && toolCallId !== undefined
        const call = { name: offered.wireName, toolCallId: toolCallId ?? createId('step'), input }
        return toToolOutput(await open.call({ ...call, signal: context?.abortSignal, isApproved }))
      },
    }
    return [offered.wireName, createTool(definition as never)] as const
  })
  return { tools: Object.fromEntries(entries), runId: open.runId }
}
