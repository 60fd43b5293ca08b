import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import { type AdapterOptions, openRun, type Ran } from './open-run.ts'
import { outcomeParts, outcomeText, type ResultPart } from './outcome-text.ts'
import { runCalls } from './run-calls.ts'

interface FunctionTool {
  type: 'function'
  name: string
  description: string
  parameters: Record<string, unknown>
  strict: boolean
}

/** The reply to one function call of the Responses API. */
interface FunctionCallOutput {
  type: 'function_call_output'
  call_id: string
  output: string | OutputPart[]
}

type OutputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }

/** Tools for `client.responses.create`, and the way to make its function calls. */
export interface OpenAITools {
  /** Give the same list to every request: what a search finds joins its end. */
  tools: FunctionTool[]
  runId: string
  /** Makes the function calls of an answer; the items are the input of the next request. */
  run(
    response: { output: readonly { type: string }[] },
    options?: { signal?: AbortSignal },
  ): Promise<Ran<FunctionCallOutput>>
}

/** A crib's tools for the `openai` package, Responses API. */
export async function toOpenAI(port: ToolPort, options: AdapterOptions = {}): Promise<OpenAITools> {
  const open = await openRun(port, options)
  const tools: FunctionTool[] = []
  open.each((tool) => void tools.push({ type: 'function', ...describe(tool, options) }))
  return {
    tools,
    runId: open.runId,
    run({ output }, { signal } = {}) {
      const calls = output.filter(isFunctionCall).map((item) => ({
        name: item.name,
        toolCallId: item.call_id,
        input: item.arguments,
        signal,
      }))
      return runCalls(open, calls, ({ toolCallId }, outcome) => ({
        type: 'function_call_output',
        call_id: toolCallId,
        output: toOutput(outcomeParts(outcome)),
      }))
    },
  }
}

interface ChatTool {
  type: 'function'
  function: Omit<FunctionTool, 'type'>
}

interface ChatToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** Tools for `client.chat.completions.create`, and the way to make its tool calls. */
export interface OpenAIChatTools {
  /** Give the same list to every request: what a search finds joins its end. */
  tools: ChatTool[]
  runId: string
  /** Makes the tool calls of a message; the items are the messages that follow it. */
  run(
    message: { tool_calls?: readonly { id: string; type: string }[] | null | undefined },
    options?: { signal?: AbortSignal },
  ): Promise<Ran<ChatToolMessage>>
}

/** A crib's tools for the `openai` package, Chat Completions API, and for whatever speaks it. */
export async function toOpenAIChat(
  port: ToolPort,
  options: AdapterOptions = {},
): Promise<OpenAIChatTools> {
  const open = await openRun(port, options)
  const tools: ChatTool[] = []
  open.each((tool) => void tools.push({ type: 'function', function: describe(tool, options) }))
  return {
    tools,
    runId: open.runId,
    run({ tool_calls: made }, { signal } = {}) {
      const calls = (made ?? []).filter(isChatCall).map((item) => ({
        name: item.function.name,
        toolCallId: item.id,
        input: item.function.arguments,
        signal,
      }))
      return runCalls(open, calls, ({ toolCallId }, outcome) => ({
        role: 'tool',
        tool_call_id: toolCallId,
        // Messages of tools are words alone in this API: a picture is only named.
        content: outcomeText(outcome),
      }))
    },
  }
}

function describe(
  tool: OfferedTool,
  { strict = true }: AdapterOptions,
): Omit<FunctionTool, 'type'> {
  const { schema, isStrict } = toProviderSchema(tool.inputSchema, 'openai', strict)
  return {
    name: tool.wireName,
    description: tool.description,
    // Theirs to change, ours is frozen.
    parameters: structuredClone(schema),
    strict: isStrict,
  }
}

function toOutput(told: string | ResultPart[]): FunctionCallOutput['output'] {
  if (typeof told === 'string') return told
  return told.map((part) =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : {
          type: 'input_image',
          image_url: `data:${part.mimeType};base64,${part.data}`,
          detail: 'auto',
        },
  )
}

function isFunctionCall(
  item: object,
): item is { type: 'function_call'; name: string; call_id: string; arguments: string } {
  return 'type' in item && item.type === 'function_call' && 'call_id' in item
}

function isChatCall(
  call: object,
): call is { id: string; type: 'function'; function: { name: string; arguments: string } } {
  return 'type' in call && call.type === 'function' && 'function' in call
}
