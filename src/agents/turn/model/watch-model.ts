import { wrapLanguageModel } from 'ai'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { ChosenModel } from '../../model-source.ts'
import { listenBySignal } from '../../models/observed-fetch.ts'
import type { Provider, SdkUsage } from '../../models/provider.ts'

/** The part of an answer that has arrived so far. */
export interface AnswerProgress {
  chars: number
  /** A request seems to have reached the provider, and was not refused. */
  isAsked: boolean
  /** Input tokens that the provider has reported so far. */
  told?: SdkUsage
}

export interface ModelWatch {
  progress: AnswerProgress
  /** From a request to the first sign of an answer. */
  firstMs: number
  /** From there to its first word: the SDK measures only between words. */
  openMs: number
  onSilence(after: 'asked' | 'opened'): void
}

/**
 * Wraps a model to watch its requests. Each request has its own timeout: the SDK retries those that a
 * provider refuses for now, and waits in between as long as the provider asks.
 */
export function watchModel(
  { model, provider, warn }: Pick<ChosenModel, 'model' | 'provider' | 'warn'>,
  { progress, firstMs, openMs, onSilence }: ModelWatch,
): ChosenModel['model'] {
  const readUsage = provider.readEarlyUsage
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        ...(readUsage !== undefined && { includeRawChunks: true }),
        // Any byte proves that the provider is alive.
        abortSignal: listenBySignal(params.abortSignal, () => timer?.refresh()),
      }),
      async wrapStream({ doStream, params }) {
        clear()
        timer = setTimeout(onSilence, firstMs, 'asked')
        progress.isAsked = true
        try {
          const answer = await doStream()
          clear()
          timer = setTimeout(onSilence, openMs, 'opened').unref()
          return {
            ...answer,
            stream: answer.stream.pipeThrough(
              listenFor(progress, { onSign: clear, warn, readUsage }),
            ),
          }
        } catch (error) {
          clear()
          // A request that was aborted while the model was thinking may cost something; a refused one does not.
          progress.isAsked = params.abortSignal?.aborted === true
          throw error
        }
      },
    },
  })
}

interface PartListener extends Pick<ChosenModel, 'warn'> {
  onSign(): void
  readUsage: Provider['readEarlyUsage']
}

function listenFor<T extends { type: string }>(
  progress: AnswerProgress,
  { onSign, warn, readUsage }: PartListener,
): TransformStream<T, T> {
  return new TransformStream({
    flush: onSign,
    transform(part, controller) {
      if (part.type === 'stream-start') {
        // Comes from the SDK itself, so it is not a sign of life. The SDK would print its warnings
        // to stderr.
        toWarnings(part).forEach(warn)
        return controller.enqueue({ ...part, warnings: [] })
      }
      if (part.type !== 'raw') {
        onSign()
        return controller.enqueue(part)
      }
      // Only we have asked for raw chunks: they go no further.
      const { rawValue } = part as { rawValue?: unknown }
      const told = isRecord(rawValue) ? readUsage?.(rawValue) : undefined
      if (told !== undefined) progress.told = told
    },
  })
}

interface Warning {
  type: string
  feature?: string
  setting?: string
  details?: string
  message?: string
}

function toWarnings(part: object): string[] {
  const { warnings = [] } = part as { warnings?: readonly Warning[] }
  return warnings.map(({ type, feature, setting, details, message }) => {
    const how = type === 'compatibility' ? 'is used in another way' : `is ${type}`
    const about = [feature ?? setting].flatMap((name) =>
      name === undefined ? [] : `${name} ${how}.`,
    )
    return [...about, details, message].filter((words) => words !== undefined).join(' ')
  })
}
