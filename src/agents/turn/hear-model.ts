import { wrapLanguageModel } from 'ai'
import { isRecord } from '../../core/schema/json/json-type.ts'
import type { ChosenModel } from '../model-source.ts'
import { listenBySignal } from '../models/heard-fetch.ts'
import type { SdkUsage } from './model-usage.ts'

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
  const tells = tellsEarly.has(provider)
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
        ...(tells && { includeRawChunks: true }),
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
            stream: answer.stream.pipeThrough(listenFor(heard, { onSign: clear, warn })),
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

/** They say with their first words what they have read; others do at the end, if at all. */
const tellsEarly: ReadonlySet<string> = new Set(['anthropic', 'google'])

function listenFor<T extends { type: string }>(
  heard: Heard,
  { onSign, warn }: { onSign(): void; warn(message: string): void },
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
      // Only we have asked for these.
      const told = readTold((part as { rawValue?: unknown }).rawValue)
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

/** As Anthropic says it in `message_start`, and Google with every chunk. */
function readTold(raw: unknown): SdkUsage | undefined {
  if (!isRecord(raw)) return undefined
  const { message, usageMetadata } = raw
  if (isRecord(usageMetadata)) {
    const { promptTokenCount: inputTokens, cachedContentTokenCount: cached } = usageMetadata
    return toInput(inputTokens, cached, 0)
  }
  if (!isRecord(message) || !isRecord(message['usage'])) return undefined
  const { input_tokens: fresh, ...more } = message['usage']
  const read = toCount(more['cache_read_input_tokens'])
  const written = toCount(more['cache_creation_input_tokens'])
  return toInput(typeof fresh === 'number' ? fresh + read + written : undefined, read, written)
}

function toInput(inputTokens: unknown, read: unknown, written: number): SdkUsage | undefined {
  if (typeof inputTokens !== 'number') return undefined
  const inputTokenDetails = { cacheReadTokens: toCount(read), cacheWriteTokens: written }
  return { inputTokens, inputTokenDetails }
}

function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
