import { createId } from '../../../core/kernel/ids.ts'
import { toHash53 } from '../../../core/kernel/names.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import type { Outcome } from '../tool-run.ts'
import { createGraphCalls, type Interrupt } from './graph-approvals.ts'
import { type AdapterOptions, openRun, type WiredCall } from './open-run.ts'
import { isFailure, outcomeParts } from './outcome-text.ts'

/** `tool` of `langchain`, as far as it is used here. */
type ToolFactory<T> = (run: never, fields: never) => T

/** `tool` makes tools of objects and tools of one text; ours are all of the first kind. */
type ObjectTool<T> = T extends unknown ? (unknown extends InputOf<T> ? T : never) : never
type InputOf<T> = T extends { func: (input: infer Input, ...rest: never[]) => unknown }
  ? Input
  : unknown

export interface LangChainOptions<T> extends AdapterOptions {
  /** `tool` of `langchain`. */
  tool: ToolFactory<T>
  /**
   * `interrupt` of `@langchain/langgraph`: a call that waits for a person then stops the graph, and
   * resuming it with `{ approved, reason? }`, or with any value once it was decided elsewhere,
   * continues. Without it, the model is informed that the call waits.
   */
  interrupt?: Interrupt
}

/** Tools for agents of LangChain and graphs of LangGraph. */
export interface LangChainTools<T> {
  /** Found tools join the end of this list. */
  tools: ObjectTool<T>[]
  runId: string
  /**
   * For an agent that searches for its tools, give `createMiddleware(middleware)` to `createAgent`:
   * it fixes its list when it is made, and by this has what was found in its next step.
   */
  middleware: FoundToolsMiddleware
}

interface FoundToolsMiddleware {
  name: string
  wrapModelCall<Answer>(
    request: { tools: unknown[] },
    handler: (request: never) => Answer | Promise<Answer>,
  ): Promise<Answer>
  wrapToolCall<Answer>(
    request: { toolCall: { name: string }; tool: unknown },
    handler: (request: never) => Answer,
  ): Answer
}

/** A crib's tools for LangChain and LangGraph: give it the SDK's own `tool` function. */
export async function toLangChain<T>(
  port: ToolPort,
  { tool, interrupt, ...options }: LangChainOptions<T>,
): Promise<LangChainTools<T>> {
  const open = await openRun(port, options)
  const callOrStop = interrupt && createGraphCalls(open, interrupt)
  const byName = new Map<string, ObjectTool<T>>()
  const tools: ObjectTool<T>[] = []
  open.each((offered) => {
    const made = toTool(tool, offered, ({ toolCall, signal, configurable }, input) => {
      const { wireName: name } = offered
      const node = configurable?.checkpoint_ns
      const id =
        toolCall?.id ?? (callOrStop && node ? toHandId(node, name, input) : createId('call'))
      const call: WiredCall = { name, toolCallId: id, input, signal }
      return callOrStop ? callOrStop({ offered, call, place: node ?? id }) : open.call(call)
    }) as ObjectTool<T>
    byName.set(offered.wireName, made)
    tools.push(made)
  })
  return { tools, runId: open.runId, middleware: toMiddleware(byName, open.refresh) }
}

/**
 * The key of a call that a node makes by itself, without a tool call of a model: the node runs
 * again when the graph is resumed and has to find the call that the person was asked about. It is
 * different for every new visit of the graph.
 */
function toHandId(node: string, name: string, input: unknown): string {
  return `${node}:${name}:${toHash53(JSON.stringify(input), 0).toString(36)}`
}

interface RunConfig {
  toolCall?: { id?: string }
  signal?: AbortSignal
  configurable?: { checkpoint_ns?: string }
}

/** The part of a LangChain tool that validates its input, runs it and words the result. */
interface Callable {
  call(input: unknown, ...rest: unknown[]): Promise<unknown>
}

/**
 * One tool is shown and another called: LangChain would validate the model's input by the schema it
 * shows, more strictly than we do, and report faults to the model as a stack trace. The called tool
 * accepts anything and leaves validation to us.
 */
function toTool<T>(
  tool: ToolFactory<T>,
  offered: OfferedTool,
  go: (config: RunConfig, input: unknown) => Promise<Outcome>,
): T {
  const { wireName: name, description } = offered
  const run = async (input: unknown, config: RunConfig = {}) => {
    const outcome = await go(config, input)
    const { kind, callId } = outcome
    return [toContent(outcome), { isError: isFailure(outcome), kind, callId }]
  }
  const responseFormat = 'content_and_artifact'
  const make = (schema: object) =>
    tool(run as never, { name, description, schema, responseFormat } as never)
  const { schema } = toProviderSchema(offered.inputSchema, 'plain', false)
  const shown = make(structuredClone(schema))
  const called = make({}) as Callable
  const call: Callable['call'] = async (...args) => markFailure(await called.call(...args))
  return Object.assign(shown as object, { call }) as T
}

/** Only LangChain can make its messages, and makes all of them for successes. */
function markFailure(output: unknown): unknown {
  if (!isRecord(output) || !isRecord(output['artifact'])) return output
  return output['artifact']['isError'] === true
    ? Object.assign(output, { status: 'error' })
    : output
}

/** Pictures as all of LangChain's models read them; a text stays one. */
function toContent(outcome: Outcome) {
  const told = outcomeParts(outcome)
  if (typeof told === 'string') return told
  return told.map((part) =>
    part.type === 'text'
      ? part
      : {
          type: 'image_url',
          image_url: { url: `data:${part.mimeType};base64,${part.data}` },
        },
  )
}

function toMiddleware(
  byName: ReadonlyMap<string, unknown>,
  refresh: () => Promise<void>,
): FoundToolsMiddleware {
  return {
    name: 'toolcrib',
    async wrapModelCall(request, handler) {
      await refresh()
      const known = new Set(request.tools)
      const found = [...byName.values()].filter((tool) => !known.has(tool))
      return handler({ ...request, tools: [...request.tools, ...found] } as never)
    },
    wrapToolCall(request, handler) {
      const { toolCall, tool = byName.get(toolCall.name) } = request
      return handler({ ...request, tool } as never)
    },
  }
}
