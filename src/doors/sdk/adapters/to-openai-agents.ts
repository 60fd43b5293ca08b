import { createId } from '../../../core/kernel/ids.ts'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { toProviderSchema } from '../schemas/to-provider-schema.ts'
import { describeError, toModelError } from '../tool-output.ts'
import { isUnanswered } from '../unanswered.ts'
import { isWaiting } from './is-waiting.ts'
import { type AdapterOptions, openRun, type Ran, type WiredCall } from './open-run.ts'
import { outcomeParts, type ResultPart } from './outcome-text.ts'
import { ownValue } from '../../../core/kernel/json/json-type.ts'

/** `tool` of `@openai/agents`, as far as it is used here. */
type ToolFactory<T> = (definition: never) => T

interface Interruption {
  name?: string | undefined
  arguments?: string | undefined
  rawItem: object
}

/** A question of a run that stopped, and the state to answer it in. */
interface Interrupted {
  interruptions: readonly Interruption[]
  state: {
    approve(interruption: never): void
    reject(interruption: never, options?: { message?: string }): void
  }
}

/** Tools for agents of `@openai/agents`. */
export interface OpenAIAgentsTools<T> {
  /** Give it to the agent as it is: what a search finds joins its end, before the next turn. */
  tools: T[]
  runId: string
  /**
   * Answers the interruptions of a run from the stored approvals, after passing on decisions (by
   * tool call id). While `waiting` is not empty, do not continue the run.
   */
  resume(
    result: Interrupted,
    said?: Readonly<Record<string, { approved: boolean; reason?: string }>>,
  ): Promise<Pick<Ran<never>, 'waiting'>>
}

/** A crib's tools for the OpenAI Agents SDK: give it the SDK's own `tool` function. */
export async function toOpenAIAgents<T>(
  port: ToolPort,
  { tool, ...options }: AdapterOptions & { tool: ToolFactory<T> },
): Promise<OpenAIAgentsTools<T>> {
  const open = await openRun(port, options)
  const tools: T[] = []
  const describe = (offered: OfferedTool) => {
    const { schema } = toProviderSchema(offered.inputSchema, 'plain', false)
    const wire = (toolCallId: string, input: unknown): WiredCall => ({
      name: offered.wireName,
      toolCallId,
      input,
    })
    return tool({
      name: offered.wireName,
      description: offered.description,
      // A plain copy: the SDK takes an object of zod's for a schema to parse with.
      parameters: toParameters(schema),
      strict: false,
      needsApproval: async (_context: unknown, input: unknown, callId?: string) => {
        if (!offered.mayAsk || callId === undefined) return false
        return (await open.ask(wire(callId, input)))?.kind === 'pending'
      },
      // An approval of the SDK alone releases nothing: `resume` passes decisions on.
      execute: async (input: unknown, _context: unknown, details?: Details) => {
        const id = details?.toolCall?.callId ?? createId('call')
        const outcome = await open.call({ ...wire(id, input), signal: details?.signal })
        return toOutput(outcomeParts(outcome))
      },
    } as never)
  }
  open.each((offered) => void tools.push(describe(offered)))
  return {
    tools,
    runId: open.runId,
    async resume({ interruptions, state }, said = {}) {
      const waiting: Ran<never>['waiting'] = []
      for (const interruption of interruptions) {
        const call = toCall(interruption)
        const { toolCallId } = call
        const outcome = await open.answer(call, ownValue(said, toolCallId))
        // The SDK would take anything but a rejection for an approval.
        if (isUnanswered(outcome)) throw toModelError(outcome.error)
        if (outcome === undefined && open.offer.find(call.name)?.wireName !== call.name) continue
        if (isWaiting(outcome)) {
          const { wireName: tool } = await open.meant(call)
          waiting.push({ toolCallId, tool, callId: outcome.callId, approvalId: outcome.approvalId })
        } else if (outcome?.kind === 'denied') {
          state.reject(interruption as never, { message: describeError(outcome.error) })
        } else {
          state.approve(interruption as never)
        }
      }
      return { waiting }
    },
  }
}

/** Pictures as the SDK has them; a text stays one. */
function toOutput(told: string | ResultPart[]) {
  if (typeof told === 'string') return told
  return told.map((part) =>
    part.type === 'text'
      ? part
      : { type: 'image', image: `data:${part.mimeType};base64,${part.data}` },
  )
}

/** Theirs to change, and with what they ask for: ours are frozen. */
function toParameters(schema: JsonSchema): Record<string, unknown> {
  const { additionalProperties = true, ...rest } = structuredClone(schema)
  return { ...rest, additionalProperties }
}

function toCall({ name = '', arguments: input = '{}', rawItem }: Interruption): WiredCall {
  return { name, input, toolCallId: 'callId' in rawItem ? String(rawItem.callId) : '' }
}

interface Details {
  toolCall?: { callId: string }
  signal?: AbortSignal
}
