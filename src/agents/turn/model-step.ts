import {
  streamText,
  toUIMessageStream,
  wrapLanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import { isToolError, ToolError } from '../../core/errors.ts'
import type { TurnUsage } from '../../core/conversations/conversation.ts'
import type { ChosenModel } from '../model-source.ts'
import type { TurnLimits } from './turn-ports.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { createUniqueIds } from './unique-ids.ts'
import type { Chunk } from './ui-parts.ts'

export interface StepRequest {
  chosen: ChosenModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  /** False: it is to answer now. */
  mayCall: boolean
  signal: AbortSignal
  limits: TurnLimits
  /** Tool call ids that the message has already. */
  takenIds: ReadonlySet<string>
  write(chunk: Chunk): void
  /** Told what an answer took, about, that began and did not come to its end. It costs all the same. */
  onCut(usage: TurnUsage): void
}

export interface StepResult {
  finishReason: string
  /** The provider has tools of its own to go on with, once it gets back what it said so far. */
  isPaused: boolean
  usage: TurnUsage
}

/** Asks the model once and passes on what it says. Throws `model_failed` where it does not answer. */
export async function askModel(request: StepRequest): Promise<StepResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await askOnce(request, attempt)
    if (result !== 'silent') return result
  }
}

/** Whoever stays silent is asked once more: the connection may have been dead, or the server behind it. */
const attemptsOfSilent = 2

async function askOnce(request: StepRequest, attempt: number): Promise<StepResult | 'silent'> {
  const { chosen, signal, limits } = request
  const stop = new AbortController()
  const heard = { chars: 0 }
  const tooLate = silentFor(limits.firstMs, chosen.name)
  // Whoever thinks for long has had the time for it.
  const withinMs = attempt === 1 ? limits.firstMs : Math.min(limits.firstMs, limits.againMs)
  const model = withDeadline(chosen.model, withinMs, () => stop.abort(tooLate))
  try {
    return await ask({ ...request, chosen: { ...chosen, model } }, { heard, stop })
  } catch (error) {
    if (heard.chars > 0) request.onCut(guessUsage(request, heard.chars))
    signal.throwIfAborted()
    if (stop.signal.reason === tooLate && attempt < attemptsOfSilent) return 'silent'
    if (stop.signal.aborted) throw toModelFailure(stop.signal.reason, chosen)
    throw heard.chars > 0 ? toBrokenOff(error, chosen) : toModelFailure(error, chosen)
  }
}

/**
 * Tells where a request has no sign of an answer by then. Each has its own time: the SDK repeats those
 * that a provider refuses for now, and waits in between as long as it is told to.
 */
function withDeadline(
  model: ChosenModel['model'],
  withinMs: number,
  onSilence: () => void,
): ChosenModel['model'] {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const timer = setTimeout(onSilence, withinMs)
        try {
          return await doStream()
        } finally {
          clearTimeout(timer)
        }
      },
    },
  })
}

interface Hearing {
  heard: { chars: number }
  /** Ends the answer from our side. */
  stop: AbortController
}

async function ask(request: StepRequest, hearing: Hearing): Promise<StepResult> {
  const { chosen, limits, signal } = request
  // The SDK tells the first failure here; what it throws later is about what that has led to.
  const failures: unknown[] = []
  const result = streamText({
    model: chosen.model,
    ...(request.instructions !== '' && { instructions: request.instructions }),
    messages: request.messages,
    tools: request.tools,
    // For Bedrock the SDK would leave out the tools then, and with them every result so far.
    ...(!request.mayCall && chosen.provider !== 'bedrock' && { toolChoice: 'none' as const }),
    abortSignal: AbortSignal.any([signal, hearing.stop.signal]),
    maxRetries: limits.modelRetries,
    timeout: { totalMs: limits.modelMs, chunkMs: limits.chunkMs },
    onError: ({ error }) => void failures.push(error),
  })
  const chunks = toUIMessageStream({
    stream: result.stream,
    tools: request.tools,
    sendStart: false,
    sendFinish: false,
    sendSources: true,
    onError: (error) => wordsOf(error, chosen),
  })
  try {
    await passOn(chunks as AsyncIterable<unknown> as AsyncIterable<Chunk>, request, hearing)
    if (failures.length > 0) throw failures[0]
    const { finishReason, rawFinishReason, usage } = await result.finalStep
    if (finishReason === 'error') throw new Error('it ended with an error')
    // Some servers do not say: what bounds a turn would not bound it then.
    const isSaid = usage.inputTokens !== undefined || usage.outputTokens !== undefined
    const guessed = isSaid ? undefined : guessUsage(request, hearing.heard.chars)
    const isPaused = rawFinishReason === 'pause_turn'
    return { finishReason, isPaused, usage: guessed ?? toUsage(usage, chosen) }
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error
  }
}

async function passOn(
  chunks: AsyncIterable<Chunk>,
  { limits, takenIds, signal, write }: StepRequest,
  { heard, stop }: Hearing,
): Promise<void> {
  const toUnique = createUniqueIds(takenIds)
  for await (const chunk of chunks) {
    heard.chars += lengthOf(chunk)
    if (heard.chars > limits.answerChars) stop.abort(longerThan(limits.answerChars))
    stop.signal.throwIfAborted()
    // A step ends when its calls have; a failure is told once, at the end of the turn.
    if (!heldBack.has(chunk.type)) write(toUnique(chunk))
  }
  signal.throwIfAborted()
}

function lengthOf({ delta, inputTextDelta, url }: Chunk): number {
  const texts = [delta, inputTextDelta, url].filter((text) => typeof text === 'string')
  return texts.reduce((sum, text) => sum + text.length, 0)
}

function silentFor(ms: number, name: string): ToolError {
  return new ToolError(
    'model_failed',
    `The model ${name} did not begin to answer in ${ms / 1000} s`,
    {
      fix: 'Try again; where a model thinks for longer, raise limits.modelFirstMs.',
    },
  )
}

function longerThan(chars: number): ToolError {
  return new ToolError(
    'model_failed',
    `The answer of the model is longer than ${chars} characters`,
    {
      retryable: false,
      fix: 'Ask for less at once.',
    },
  )
}

function guessUsage({ messages, instructions, chosen }: StepRequest, chars: number): TurnUsage {
  // Files count by their place here as well: what they took, only the provider knows.
  const asText = JSON.stringify(messages, (key, value: unknown) => (key === 'data' ? '' : value))
  const inputTokens = estimateTokens(instructions) + estimateTokens(asText)
  return toUsage({ inputTokens, outputTokens: Math.ceil(chars / 4) }, chosen)
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
export function toModelFailure(
  error: unknown,
  chosen: Pick<ChosenModel, 'name' | 'hideKeys'>,
): ToolError {
  if (isToolError(error)) return error
  const { name } = chosen
  const status = statusOf(error)
  if (status === 200 && isBroken(error)) return toBrokenOff(error, chosen)
  const words = wordsOf(error, chosen)
  const why = status === undefined ? words : `it answered ${status}: ${words}`
  const isRefused = nameOf(error) === 'AI_UnsupportedFunctionalityError'
  const retryable = !isRefused && (status === undefined || status === 429 || status >= 500)
  return new ToolError('model_failed', `The model ${name} gave no answer: ${why}`, {
    retryable,
    fix: isRefused ? 'Leave that out, or give the agent another model.' : fixFor(status),
    cause: error,
  })
}

/** It had begun: what it said so far stands, and nothing of it was refused. */
function toBrokenOff(error: unknown, chosen: Pick<ChosenModel, 'name' | 'hideKeys'>): ToolError {
  if (isToolError(error)) return error
  const { cause } = (error ?? {}) as { cause?: unknown }
  const words = wordsOf(isBroken(error) ? (cause ?? error) : error, chosen)
  const message = `The model ${chosen.name} broke off in the middle of its answer: ${words}`
  return new ToolError('model_failed', message, {
    retryable: true,
    fix: fixFor(undefined),
    cause: error,
  })
}

/** As the SDK says it of an answer that began well and could not be read to its end. */
function isBroken(error: unknown): boolean {
  const { message } = (innermost(error) ?? {}) as { message?: unknown }
  return message === 'Failed to process successful response'
}

function fixFor(status: number | undefined): string {
  if (status === 401 || status === 403) return 'Check the key of this provider in the secrets.'
  if (status === 404) return 'Check the name of the model in the settings of the agent.'
  if (status === 429) return 'Wait a little, or raise the limit at the provider.'
  if (status !== undefined && status >= 400 && status < 500) {
    return 'It would refuse the same again: check the options of the model, or ask for something else.'
  }
  return 'Try again; where it stays so, look at the status page of the provider.'
}

/** Retries wrap what made them necessary. */
function innermost(error: unknown): unknown {
  const { lastError, cause } = (error ?? {}) as { lastError?: unknown; cause?: unknown }
  if (lastError !== undefined) return innermost(lastError)
  return cause instanceof Error && statusOf(cause) !== undefined ? cause : error
}

/** The HTTP status that a provider answered with last. */
export function statusOf(error: unknown): number | undefined {
  const { statusCode, lastError } = (error ?? {}) as { statusCode?: unknown; lastError?: unknown }
  if (typeof statusCode === 'number') return statusCode
  return lastError === undefined ? undefined : statusOf(lastError)
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined
}

const maxWords = 500

/** Bounded, and never with what was sent: errors of providers hold whole requests, and some the key. */
function wordsOf(error: unknown, { hideKeys }: Pick<ChosenModel, 'hideKeys'>): string {
  const inner = innermost(error)
  const message = hideKeys(inner instanceof Error ? inner.message : String(inner))
  return message.length <= maxWords ? message : `${message.slice(0, maxWords)} …`
}
