import {
  jsonSchema,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  toUIMessageStream,
} from 'ai'
import type { JsonSchema } from '../../../core/kernel/json.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { TurnUsage } from '../../../core/conversations/conversation.ts'
import type { ChosenModel } from '../../model-source.ts'
import type { TurnLimits } from '../turn-ports.ts'
import { watchModel, type AnswerProgress } from './watch-model.ts'
import { inputFault } from './input-fault.ts'
import { toBrokenOff, toModelFailure, wordsOf } from './model-failure.ts'
import { cutUsage, guessUsage, toUsage } from './model-usage.ts'
import { createUniqueIds } from './unique-ids.ts'
import type { Chunk } from '../ui-parts.ts'

export interface StepRequest {
  chosen: ChosenModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  /** False: it is to answer now. */
  mayCall: boolean
  maxOutputTokens?: number | undefined
  /** The answer is to be JSON of this schema. */
  outputSchema?: JsonSchema | undefined
  signal: AbortSignal
  limits: TurnLimits
  /** Tool call ids that the message has already. */
  takenIds: ReadonlySet<string>
  write(chunk: Chunk): void
  /** Receives the known usage of an answer that did not finish. It costs all the same. */
  onCut(usage: TurnUsage): void
}

export interface StepResult {
  finishReason: string
  /** The provider has tools of its own to continue with, once it gets back its output so far. */
  isPaused: boolean
  usage: TurnUsage
}

/** Asks the model once and passes its answer on. Throws `model_failed` if it does not answer. */
export async function askModel(request: StepRequest): Promise<StepResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await askOnce(request, attempt)
    if (result !== 'silent') return result
  }
}

/**
 * A silent provider is asked once more: the connection may have been dead, or the server behind it.
 */
const attemptsOfSilent = 2

async function askOnce(request: StepRequest, attempt: number): Promise<StepResult | 'silent'> {
  const { chosen, signal, limits } = request
  const stop = new AbortController()
  const progress: AnswerProgress = { chars: 0, isAsked: false }
  const silences: ToolError[] = []
  // A model that thinks for long has had the time for it.
  const firstMs = attempt === 1 ? limits.firstMs : Math.min(limits.firstMs, limits.againMs)
  const model = watchModel(chosen, {
    progress,
    firstMs,
    openMs: limits.chunkMs,
    onSilence(after) {
      silences.push(silentAfter(after, request))
      stop.abort(silences[0])
    },
  })
  try {
    return await ask({ ...request, chosen: { ...chosen, model } }, { progress, stop })
  } catch (error) {
    if (progress.isAsked) request.onCut(cutUsage(request, progress))
    signal.throwIfAborted()
    if (silences.length > 0 && attempt < attemptsOfSilent) return 'silent'
    if (stop.signal.aborted) throw toModelFailure(stop.signal.reason, chosen)
    throw progress.chars > 0 ? toBrokenOff(error, chosen) : toModelFailure(error, chosen)
  }
}

interface Hearing {
  progress: AnswerProgress
  /** Ends the answer from our side. */
  stop: AbortController
}

async function ask(request: StepRequest, hearing: Hearing): Promise<StepResult> {
  const { chosen, limits, signal } = request
  // The SDK reports the first failure here; later errors are only its consequences.
  const failures: unknown[] = []
  const result = streamText({
    model: chosen.model,
    ...(request.instructions !== '' && { instructions: request.instructions }),
    messages: request.messages,
    tools: request.tools,
    ...(mustForbidCalls(request) && { toolChoice: 'none' as const }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.outputSchema && {
      output: Output.object({ schema: jsonSchema(request.outputSchema) }),
    }),
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
    onError: (error) => wordsOf(inputFault(error) ?? error, chosen),
  })
  try {
    await passOn(chunks as AsyncIterable<unknown> as AsyncIterable<Chunk>, request, hearing)
    if (failures.length > 0) throw failures[0]
    const { finishReason, rawFinishReason, usage } = await result.finalStep
    if (finishReason === 'error') throw new Error('it ended with an error')
    // Some servers do not say: what bounds a turn would not bound it then.
    const isSaid = usage.inputTokens !== undefined || usage.outputTokens !== undefined
    const guessed = isSaid ? undefined : guessUsage(request, hearing.progress.chars)
    const isPaused = isPause(rawFinishReason, chosen)
    return { finishReason, isPaused, usage: guessed ?? toUsage(usage, chosen) }
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error
  }
}

function mustForbidCalls({ mayCall, chosen: { provider } }: StepRequest): boolean {
  return !mayCall && provider.dropsForbiddenTools !== true
}

function isPause(reason: string | undefined, { provider }: ChosenModel): boolean {
  return reason !== undefined && reason === provider.pauseReason
}

async function passOn(
  chunks: AsyncIterable<Chunk>,
  { limits, takenIds, signal, write }: StepRequest,
  { progress, stop }: Hearing,
): Promise<void> {
  const toUnique = createUniqueIds(takenIds)
  for await (const chunk of chunks) {
    progress.chars += lengthOf(chunk)
    if (progress.chars > limits.answerChars) stop.abort(longerThan(limits.answerChars))
    stop.signal.throwIfAborted()
    // A step ends when its calls have; a failure is reported once, at the end of the turn.
    if (!heldBack.has(chunk.type)) write(toUnique(chunk))
  }
  signal.throwIfAborted()
}

function lengthOf({ delta, inputTextDelta, url }: Chunk): number {
  const texts = [delta, inputTextDelta, url].filter((text) => typeof text === 'string')
  return texts.reduce((sum, text) => sum + text.length, 0)
}

function silentAfter(after: 'asked' | 'opened', { chosen, limits }: StepRequest): ToolError {
  const [ms, limit] =
    after === 'asked' ? [limits.firstMs, 'modelFirstMs'] : [limits.chunkMs, 'modelChunkMs']
  const message = `The model ${chosen.name} did not begin to answer in ${ms / 1000} s`
  return new ToolError('model_failed', message, {
    fix: `Try again; where a model thinks for longer, raise limits.${limit}.`,
  })
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

const heldBack: ReadonlySet<string> = new Set(['finish-step', 'error', 'abort'])
