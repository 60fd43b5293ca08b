import { wrapLanguageModel } from 'ai'
import { isRecord } from '../../core/schema/json/json-type.ts'
import type { ChosenModel } from '../model-source.ts'
import { listenBySignal } from '../models/heard-fetch.ts'
import type { Provider, SdkUsage } from '../models/provider.ts'

/** What has come of one answer so far. */
export interface Heard {
  chars: number
  /** A request has reached the provider, as far as one can tell, and was not refused. */
  isAsked: boolean
  /** What the provider has said meanwhile that it read. */
  told?: SdkUsage
}

export interface Listening {
  heard: Heard
  /** From a request to the first sign of an answer. */
  firstMs: number
  /** From there to the first of its words: the SDK counts from one to the next only. */
  openMs: number
  onSilence(after: 'asked' | 'opened'): void
}

/**
 * Listens to what a provider does. Each request has its own time: the SDK repeats those that a
 * provider refuses for now, and waits in between as long as it is told to.
 */
export function hearModel(
  { model, provider, warn }: Pick<ChosenModel, 'model' | 'provider' | 'warn'>,
  { heard, firstMs, openMs, onSilence }: Listening,
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
        // Whoever sends something is not silent, whatever it is.
        abortSignal: listenBySignal(params.abortSignal, () => timer?.refresh()),
      }),
      async wrapStream({ doStream, params }) {
        clear()
        timer = setTimeout(onSilence, firstMs, 'asked')
        heard.isAsked = true
        try {
          const answer = await doStream()
          clear()
          timer = setTimeout(onSilence, openMs, 'opened').unref()
          return {
            ...answer,
            stream: answer.stream.pipeThrough(listenFor(heard, { onSign: clear, warn, readUsage })),
          }
        } catch (error) {
          clear()
          // Whoever was cut off while it thought may have spent something; whoever refused has not.
          heard.isAsked = params.abortSignal?.aborted === true
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
  heard: Heard,
  { onSign, warn, readUsage }: PartListener,
): TransformStream<T, T> {
  return new TransformStream({
    flush: onSign,
    transform(part, controller) {
      if (part.type === 'stream-start') {
        // The SDK's own, which comes whatever the provider does. It would write what is in it to stderr.
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
      if (told !== undefined) heard.told = told
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
