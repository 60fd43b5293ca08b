import { createId } from '../../core/ids.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../core/tool-port.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import type { Outcome } from '../tool-run.ts'
import { type AdapterOptions, type OpenRun, openRun, type WiredCall } from './open-run.ts'
import { outcomeText } from './outcome-text.ts'

/** `tool` of `langchain`, as far as it is used here. */
type ToolFactory<T> = (run: never, fields: never) => T

/** What a graph is interrupted with, for whoever resumes it. */
export interface ApprovalInterrupt {
  kind: 'approval'
  approvalId: string
  callId: string
  tool: string
  input: unknown
}

export interface LangChainOptions<T> extends AdapterOptions {
  /** `tool` of `langchain`. */
  tool: ToolFactory<T>
  /**
   * `interrupt` of `@langchain/langgraph`: a call that waits for a person then stops the graph, and
   * resuming it with `{ approved, reason? }`, or with nothing once it was decided elsewhere, goes on.
   * Without it, the model is told that the call waits.
   */
  interrupt?: (value: ApprovalInterrupt) => unknown
}

/** A crib's tools for LangChain and LangGraph: give it the SDK's own `tool` function. */
export async function toLangChain<T>(
  port: ToolPort,
  { tool, interrupt, ...options }: LangChainOptions<T>,
): Promise<{ tools: T[]; runId: string }> {
  const open = await openRun(port, options)
  const tools = open.offer.tools.map((offered) => {
    const run = async (input: unknown, config?: RunConfig) => {
      const { toolCall, signal } = config ?? {}
      const call = {
        name: offered.wireName,
        toolCallId: toolCall?.id ?? createId('call'),
        input,
        signal,
      }
      if (interrupt === undefined) return outcomeText(await open.call(call))
      return outcomeText(await callOrStop(open, { offered, call, interrupt }))
    }
    const { schema } = toProviderSchema(offered.inputSchema, 'plain', false)
    const { wireName: name, description } = offered
    return tool(run as never, { name, description, schema: structuredClone(schema) } as never)
  })
  return { tools, runId: open.runId }
}

interface RunConfig {
  toolCall?: { id?: string }
  signal?: AbortSignal
}

/**
 * A graph runs the tool from its beginning when it is resumed: the call is found again by its key,
 * and `interrupt` then gives what it was resumed with instead of stopping.
 */
async function callOrStop(
  open: OpenRun,
  of: { offered: OfferedTool; call: WiredCall; interrupt: (value: ApprovalInterrupt) => unknown },
): Promise<Outcome> {
  const { offered, call, interrupt } = of
  const asked = offered.mayAsk ? await open.ask(call) : undefined
  if (asked?.kind !== 'pending' || asked.approvalId === undefined) return open.call(call)
  const { approvalId, callId } = asked
  const said = interrupt({
    kind: 'approval',
    approvalId,
    callId,
    tool: offered.name,
    input: call.input,
  })
  const outcome = await open.answer(call, toSaid(said))
  return outcome ?? open.call(call)
}

function toSaid(value: unknown): { approved: boolean; reason?: string } | undefined {
  if (typeof value !== 'object' || value === null || !('approved' in value)) return undefined
  const reason =
    'reason' in value && typeof value.reason === 'string' ? { reason: value.reason } : {}
  return { approved: value.approved === true, ...reason }
}
