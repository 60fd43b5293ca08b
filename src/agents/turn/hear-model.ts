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
  { model, provider }: Pick<ChosenModel, 'model' | 'provider'>,
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
          return { ...answer, stream: answer.stream.pipeThrough(listenFor(heard, clear)) }
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
  onSign: () => void,
): TransformStream<T, T> {
  return new TransformStream({
    flush: onSign,
    transform(part, controller) {
      // The first is the SDK's own, and comes whatever the provider does; the others only we have asked for.
      if (part.type !== 'stream-start' && part.type !== 'raw') onSign()
      if (part.type !== 'raw') return controller.enqueue(part)
      const told = readTold((part as { rawValue?: unknown }).rawValue)
      if (told !== undefined) heard.told = told
    },
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
