import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import type { CacheControl } from '../cache-control.ts'
import { chooseStrict } from '../schemas/choose-strict.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import type { Outcome } from '../tool-run.ts'
import { type AdapterOptions, openRun, type Ran } from './open-run.ts'
import { type ImageType, isFailure, listParts, type ResultPart } from './outcome-text.ts'
import { runCalls } from './run-calls.ts'

interface AnthropicTool {
  name: string
  description: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
  strict?: boolean
  cache_control?: CacheControl
}

type ResultBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }

interface ToolResult {
  type: 'tool_result'
  tool_use_id: string
  content: ResultBlock[]
  is_error?: boolean
}

/** Tools for `client.messages.create`, and the way to make its tool uses. */
export interface AnthropicTools {
  /** Give the same list to every request: what a search finds joins its end. */
  tools: AnthropicTool[]
  runId: string
  /** Makes the tool uses of a message; the items are the content of the user message that follows. */
  run(
    message: { content: readonly { type: string }[] },
    options?: { signal?: AbortSignal },
  ): Promise<Ran<ToolResult>>
}

/** A crib's tools for the `@anthropic-ai/sdk` package. */
export async function toAnthropic(
  port: ToolPort,
  options: AdapterOptions & {
    /** Marks the last tool, so that the list is read from the prompt cache. */
    cacheControl?: boolean | CacheControl
  } = {},
): Promise<AnthropicTools> {
  const open = await openRun(port, options)
  const strict = options.strict === true ? chooseStrict(open.offer.tools) : undefined
  const tools: AnthropicTool[] = []
  open.each((tool) => void tools.push(describe(tool, strict?.has(tool) === true)))
  const last = tools.at(-1)
  if (options.cacheControl && last !== undefined) {
    last.cache_control =
      options.cacheControl === true ? { type: 'ephemeral' } : options.cacheControl
  }
  return {
    tools,
    runId: open.runId,
    run({ content }, { signal } = {}) {
      const calls = content.filter(isToolUse).map((block) => ({
        name: block.name,
        toolCallId: block.id,
        input: block.input,
        signal,
      }))
      return runCalls(open, calls, ({ toolCallId }, outcome) => toResult(toolCallId, outcome))
    },
  }
}

function describe(tool: OfferedTool, strict: boolean): AnthropicTool {
  const { schema, isStrict } = toProviderSchema(tool.inputSchema, 'anthropic', strict)
  return {
    name: tool.wireName,
    description: tool.description,
    input_schema: { ...structuredClone(schema), type: 'object' },
    ...(isStrict && { strict: true }),
  }
}

function isToolUse(
  block: object,
): block is { type: 'tool_use'; id: string; name: string; input: unknown } {
  return 'type' in block && block.type === 'tool_use' && 'id' in block
}

function toResult(id: string, outcome: Outcome): ToolResult {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: listParts(outcome).map(toBlock),
    ...(isFailure(outcome) && { is_error: true }),
  }
}

function toBlock(part: ResultPart): ResultBlock {
  if (part.type === 'text') return part
  const { data, mimeType: media_type } = part
  return { type: 'image', source: { type: 'base64', media_type, data } }
}
