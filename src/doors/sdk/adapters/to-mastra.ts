import { jsonSchema } from 'ai'
import { createId } from '../../../core/kernel/ids.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import type { OutputMedia } from '../../../core/models/provider-apis.ts'
import { toModelOutput, toToolOutput } from '../tool-output.ts'
import {
  callOrSuspend,
  type MastraContext,
  resumeSchema,
  suspendSchema,
} from './mastra-approvals.ts'
import { type MastraModel, mediaShownIn } from './mastra-media.ts'
import { type AdapterOptions, openRun } from './open-run.ts'

/** `createTool` of `@mastra/core`, as far as it is used here. */
type ToolFactory<T> = (definition: never) => T

/** Tools for agents of Mastra. */
export interface MastraTools<T> {
  /** By wire name. Found tools join them: the next run of the agent has them. */
  tools: Record<string, T>
  runId: string
  /**
   * For an agent that searches for its tools, give it to `generate` or `stream`: what was found
   * joins before the next step. Otherwise it changes nothing.
   */
  prepareStep(step: { tools?: Record<string, unknown> }): Promise<{ tools?: Record<string, never> }>
}

interface MastraOptions<T> extends AdapterOptions {
  /** `createTool` of `@mastra/core/tools`. */
  createTool: ToolFactory<T>
  /** The model of the agent: what it can't be shown of pictures and files is named instead. */
  model?: MastraModel
}

/** A crib's tools for Mastra, by name: give it the SDK's own `createTool` function. */
export async function toMastra<T>(
  port: ToolPort,
  { createTool, model, ...options }: MastraOptions<T>,
): Promise<MastraTools<T>> {
  const open = await openRun(port, options)
  const tools: Record<string, T> = {}
  const media = mediaShownIn(model)
  open.each((offered) => {
    const execute = async (input: unknown, context?: MastraContext) => {
      const toolCallId = context?.agent?.toolCallId ?? createId('step')
      const signal = context?.abortSignal
      const call = { name: offered.wireName, toolCallId, input, signal }
      const outcome = await callOrSuspend(open, { offered, call, agent: context?.agent })
      return outcome === 'suspended' ? undefined : toToolOutput(outcome)
    }
    tools[offered.wireName] = createTool({ ...describe(offered, media), execute } as never)
  })
  return {
    tools,
    runId: open.runId,
    async prepareStep({ tools: known = {} }) {
      if (open.offer.mode !== 'search') return {}
      await open.refresh()
      return { tools: { ...tools, ...known } as Record<string, never> }
    },
  }
}

function describe(offered: OfferedTool, media: OutputMedia) {
  const { schema } = toProviderSchema(offered.inputSchema, 'plain', false)
  return {
    id: offered.wireName,
    description: offered.description,
    inputSchema: jsonSchema(structuredClone(schema)),
    toModelOutput: (output: unknown) => toMastraOutput(toModelOutput({ output }, media)),
    ...(offered.mayAsk && { suspendSchema, resumeSchema }),
  }
}

/** Outcomes that Mastra names differently: a refusal is a text, and files have an older form. */
function toMastraOutput(told: ReturnType<typeof toModelOutput>) {
  if (told.type === 'execution-denied') return { type: 'error-text', value: told.reason ?? '' }
  if (told.type !== 'content') return told
  const value = told.value.map((part) => {
    if (part.type !== 'file' || part.data.type !== 'data') return part
    return { type: 'media', data: part.data.data, mediaType: part.mediaType }
  })
  return { type: 'content', value }
}
