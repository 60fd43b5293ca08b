import type { ModelMessage } from 'ai'
import { addUsage } from '../../core/conversations/add-usage.ts'
import { noUsage, type TurnUsage } from '../../core/conversations/conversation.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'
import type { ToolEval } from '../../core/kernel/trial/tool-eval.ts'
import { type HeldNames, holdNames } from '../../core/offer/hold-names.ts'
import type { EvalOutcome, EvaluatedCall } from '../../core/trials/evals/eval-outcome.ts'
import { describeError } from '../../doors/sdk/tool-output.ts'
import type { AgentSettings, ChosenModel } from '../model-source.ts'
import { createInputHiding } from '../turn/calls/hide-inputs.ts'
import { refuseUnrun } from '../turn/calls/refuse-unrun.ts'
import { toModelMessages } from '../turn/context/to-model-messages.ts'
import { dressTools } from '../turn/model/dress-tools.ts'
import { askModel } from '../turn/model/model-step.ts'
import { addProviderTools } from '../turn/model/provider-tools.ts'
import { applyChunk } from '../turn/stream/apply-chunk.ts'
import {
  type Chunk,
  isToolPart,
  openCalls,
  type Part,
  textOf,
  toJson,
  toolNameOf,
  type ToolPart,
} from '../turn/ui-parts.ts'
import type { EvalPorts } from './eval-ports.ts'

/** One conversation of an eval. */
export interface EvalConversation extends Pick<ToolEval, 'say' | 'given'> {
  caller: Caller
  /** Absent for a caller without one: no instructions, and the tools of the caller. */
  agent: AgentSettings | undefined
  chosen: ChosenModel
  signal: AbortSignal
}

/** An agent that works for longer on one request does not come to an end. */
const runMs = 300_000

/** The conversation so far. */
interface EvalWork extends EvalConversation {
  /** Of the model's message. */
  parts: Part[]
  calls: EvaluatedCall[]
  usage: TurnUsage
  heldNames: HeldNames
  write(chunk: Chunk): void
}

/**
 * Gives a request to a model as a turn would, with the same instructions and tools. Calls have no
 * effect, and nothing is stored but the record of reads. Rejects only when the signal aborts.
 */
export async function runEval(
  conversation: EvalConversation,
  ports: EvalPorts,
): Promise<EvalOutcome> {
  const parts: Part[] = []
  const deadline = AbortSignal.timeout(runMs)
  const work: EvalWork = {
    ...conversation,
    signal: AbortSignal.any([conversation.signal, deadline]),
    parts,
    calls: [],
    usage: noUsage,
    heldNames: {},
    write: (chunk) => applyChunk(parts, toJson(chunk) as Chunk),
  }
  const stopped = await converse(work, ports).catch((error: unknown) => {
    conversation.signal.throwIfAborted()
    if (deadline.aborted) return `It was not over after ${runMs / 1000} s`
    if (isToolError(error)) return error.message
    throw error
  })
  const { calls, usage } = work
  const answer = textOf(lastStep(parts))
  return { calls, answer, usage, ...(stopped !== undefined && { stopped }) }
}

/** Returns the reason why there is no answer, if there is none. */
async function converse(work: EvalWork, ports: EvalPorts): Promise<string | undefined> {
  const { agent } = work
  const maxSteps = agent?.maxSteps ?? ports.limits.maxSteps
  for (let step = 0; step < maxSteps; step += 1) {
    work.signal.throwIfAborted()
    if (tokensOf(work.usage) >= (agent?.maxTurnTokens ?? Infinity)) {
      return `It used ${tokensOf(work.usage)} tokens, which is all that the agent may use`
    }
    if (await takeStep(work, ports)) continue
    const isEmpty = textOf(lastStep(work.parts)).trim() === ''
    return isEmpty ? `The model ${work.chosen.name} gave no answer` : undefined
  }
  const last = work.calls.at(-1)
  const ending = last === undefined ? '' : `; the last call was ${last.tool}`
  return `It was not over after ${maxSteps} steps${ending}`
}

function tokensOf({ inputTokens, outputTokens }: TurnUsage): number {
  return inputTokens + outputTokens
}

/** One model call, and the calls that it asks for. False once it has answered. */
async function takeStep(work: EvalWork, ports: EvalPorts): Promise<boolean> {
  const { caller, agent, chosen, parts, signal, write } = work
  const budget = await ports.enterModel(caller)
  const offer = holdNames(await ports.offer(caller), work.heldNames)
  const { tools, wireNames } = dressTools(offer, chosen)
  if (agent !== undefined) await addProviderTools(tools, agent, chosen)
  const hiding = createInputHiding(offer, write)
  const spend = (used: TurnUsage) => {
    budget.spend(used.cost)
    work.usage = addUsage(work.usage, used)
  }
  const { finishReason, isPaused, usage } = await askModel({
    chosen,
    instructions: agent?.instructions ?? '',
    messages: await toMessages(work, tools),
    tools,
    mayCall: true,
    signal,
    limits: ports.limits,
    takenIds: new Set(parts.filter(isToolPart).map(({ toolCallId }) => toolCallId)),
    write: hiding.write,
    onCut: spend,
  })
  spend(usage)
  work.heldNames = {
    ...work.heldNames,
    ...pickNames(lastStep(parts).filter(isToolPart), wireNames),
  }
  noteRefused(work)
  refuseUnrun(work, finishReason, ports.limits)
  const calls = openCalls(parts)
  await makeCalls(calls, { work, raw: hiding.raw }, ports)
  const asked = lastStep(parts).filter(isToolPart)
  return isPaused || asked.some((part) => part.providerExecuted !== true)
}

function pickNames(calls: readonly ToolPart[], wireNames: Readonly<Record<string, string>>) {
  const used = calls.flatMap((part) => {
    const wire = toolNameOf(part)
    const name = ownValue(wireNames, wire)
    return name === undefined ? [] : [[wire, name] as const]
  })
  return Object.fromEntries(used)
}

/** Calls that nobody makes: the SDK has compared their input with the schema, and looked for the tool. */
function noteRefused({ parts, calls, heldNames }: EvalWork): void {
  for (const part of lastStep(parts).filter(isToolPart)) {
    if (part.state !== 'output-error' || part.providerExecuted === true) continue
    const wire = toolNameOf(part)
    const message = (part.errorText ?? '').replace(/^invalid_input: /, '')
    calls.push({
      tool: ownValue(heldNames, wire) ?? wire,
      input: toJson(part.input),
      status: 'failed',
      error: { code: 'invalid_input', message, retryable: false },
    })
  }
}

async function toMessages(
  { say, parts }: EvalWork,
  tools: Parameters<typeof toModelMessages>[1]['tools'],
): Promise<ModelMessage[]> {
  const asked = { id: 'asked', role: 'user' as const, parts: [{ type: 'text', text: say }] }
  const own = { id: 'answer', role: 'assistant' as const, parts: toJson(parts) as never }
  return toModelMessages(parts.length === 0 ? [asked] : [asked, own], {
    tools,
    showFile: async (part) => part,
    showOutput: async ({ output }) => output,
  })
}

async function makeCalls(
  parts: readonly ToolPart[],
  { work, raw }: { work: EvalWork; raw: ReadonlyMap<string, unknown> },
  ports: EvalPorts,
): Promise<void> {
  const { caller, given, signal, heldNames, write } = work
  const answers = await Promise.all(
    parts.map((part) => {
      const wire = toolNameOf(part)
      const tool = ownValue(heldNames, wire) ?? wire
      const input = (raw.has(part.toolCallId) ? raw.get(part.toolCallId) : part.input) ?? {}
      return ports.callForEval({ tool, input, caller, given, signal })
    }),
  )
  signal.throwIfAborted()
  for (const [index, { result, made }] of answers.entries()) {
    const { toolCallId = '' } = parts[index] ?? {}
    work.calls.push(...made)
    if (result.status === 'completed') {
      write({ type: 'tool-output-available', toolCallId, output: result.output ?? null })
      continue
    }
    const { error = new ToolError('tool_failed', `The call is ${result.status}`) } = result
    write({ type: 'tool-output-error', toolCallId, errorText: describeError(error) })
  }
}

/** The parts since the model was asked last. */
function lastStep(parts: readonly Part[]): readonly Part[] {
  return parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
}
