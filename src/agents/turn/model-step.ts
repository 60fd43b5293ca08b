import { streamText, toUIMessageStream, type ModelMessage, type ToolSet } from 'ai'
import { isToolError, ToolError } from '../../core/errors.ts'
import type { TurnUsage } from '../../core/conversations/conversation.ts'
import type { ChosenModel } from '../model-source.ts'
import type { TurnLimits } from './turn-ports.ts'
import { createUniqueIds } from './unique-ids.ts'
import type { Chunk } from './ui-parts.ts'

export interface StepRequest {
  chosen: ChosenModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  signal: AbortSignal
  limits: TurnLimits
  /** Tool call ids that the message has already. */
  takenIds: ReadonlySet<string>
  write(chunk: Chunk): void
}

export interface StepResult {
  finishReason: string
  usage: TurnUsage
}

/** Asks the model once and passes on what it says. Throws `model_failed` where it does not answer. */
export async function askModel(request: StepRequest): Promise<StepResult> {
  const { chosen, limits, signal } = request
  let failure: unknown
  const result = streamText({
    model: chosen.model,
    ...(request.instructions !== '' && { instructions: request.instructions }),
    messages: request.messages,
    tools: request.tools,
    abortSignal: signal,
    maxRetries: limits.modelRetries,
    timeout: { totalMs: limits.modelMs, chunkMs: limits.chunkMs },
    onError: ({ error }) => {
      failure ??= error
    },
  })
  const toUnique = createUniqueIds(request.takenIds)
  const chunks = toUIMessageStream({
    stream: result.stream,
    tools: request.tools,
    sendStart: false,
    sendFinish: false,
    sendSources: true,
    onError: (error) => wordsOf(error),
  })
  try {
    for await (const chunk of chunks as AsyncIterable<unknown> as AsyncIterable<Chunk>) {
      // A step ends when its calls have; a failure is told once, at the end of the turn.
      if (!heldBack.has(chunk.type)) request.write(toUnique(chunk))
    }
  } catch (error) {
    failure ??= error
  }
  signal.throwIfAborted()
  if (failure !== undefined) throw toModelFailure(failure, chosen)
  try {
    const [finishReason, usage] = await Promise.all([result.finishReason, result.usage])
    return { finishReason, usage: toUsage(usage, chosen) }
  } catch (error) {
    throw toModelFailure(failure ?? error, chosen)
  }
}

const heldBack: ReadonlySet<string> = new Set(['finish-step', 'error', 'abort'])

interface SdkUsage {
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  inputTokenDetails?: {
    cacheReadTokens?: number | undefined
    cacheWriteTokens?: number | undefined
  }
}

/** What one answer took, and what that costs. */
export function toUsage(usage: SdkUsage, chosen: Pick<ChosenModel, 'costOf'>): TurnUsage {
  const inputTokens = usage.inputTokens ?? 0
  const outputTokens = usage.outputTokens ?? 0
  const cachedInputTokens = usage.inputTokenDetails?.cacheReadTokens ?? 0
  const cacheWriteTokens = usage.inputTokenDetails?.cacheWriteTokens ?? 0
  const cost =
    chosen.costOf({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens }) ?? 0
  return { modelCalls: 1, inputTokens, outputTokens, cachedTokens: cachedInputTokens, cost }
}

/** The end of a turn whose model does not answer, in words that say whose fault it is. */
export function toModelFailure(error: unknown, { name }: Pick<ChosenModel, 'name'>): ToolError {
  if (isToolError(error)) return error
  const status = statusOf(error)
  const why = status === undefined ? wordsOf(error) : `it answered ${status}: ${wordsOf(error)}`
  const retryable = status === undefined || status === 429 || status >= 500
  return new ToolError('model_failed', `The model ${name} gave no answer: ${why}`, {
    retryable,
    fix: fixFor(status),
    cause: error,
  })
}

function fixFor(status: number | undefined): string {
  if (status === 401 || status === 403) return 'Check the key of this provider in the secrets.'
  if (status === 404) return 'Check the name of the model in the settings of the agent.'
  if (status === 429) return 'Wait a little, or raise the limit at the provider.'
  return 'Try again; where it stays so, look at the status page of the provider.'
}

/** Retries wrap what made them necessary. */
function innermost(error: unknown): unknown {
  const { lastError, cause } = (error ?? {}) as { lastError?: unknown; cause?: unknown }
  if (lastError !== undefined) return innermost(lastError)
  return cause instanceof Error && statusOf(cause) !== undefined ? cause : error
}

function statusOf(error: unknown): number | undefined {
  const { statusCode, lastError } = (error ?? {}) as { statusCode?: unknown; lastError?: unknown }
  if (typeof statusCode === 'number') return statusCode
  return lastError === undefined ? undefined : statusOf(lastError)
}

const maxWords = 500

/** Bounded, and never with what was sent: errors of providers hold whole requests. */
function wordsOf(error: unknown): string {
  const inner = innermost(error)
  const message = inner instanceof Error ? inner.message : String(inner)
  return message.length <= maxWords ? message : `${message.slice(0, maxWords)} …`
}
