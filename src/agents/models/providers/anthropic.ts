import { anthropicApi, documentMedia } from '../../../core/models/provider-apis.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { defineProvider } from '../provider.ts'
import { providerSettings } from '../provider-settings.ts'
import { toCount, toInputUsage } from '../token-counts.ts'

export const anthropic = defineProvider({
  id: 'anthropic',
  modelPath: '/<model>',
  section: {
    key: 'anthropic',
    description: 'Anthropic: models anthropic/…',
    settings: providerSettings,
  },
  keys: { names: ['apiKey'], defaults: ['secret:anthropic_api_key', 'env:ANTHROPIC_API_KEY'] },
  async open({ request, keys }) {
    return (await import('@ai-sdk/anthropic')).createAnthropic({ ...request, ...keys })
  },
  ...anthropicApi,
  messageMedia: documentMedia,
  tools: {
    load: async () => (await import('@ai-sdk/anthropic')).anthropic.tools,
    requiredArgs: {},
  },
  pauseReason: 'pause_turn',
  /** In `message_start`; `input_tokens` leaves out what is cached. */
  readEarlyUsage({ message }) {
    if (!isRecord(message) || !isRecord(message['usage'])) return undefined
    const { input_tokens: fresh, ...cache } = message['usage']
    if (typeof fresh !== 'number') return undefined
    const read = toCount(cache['cache_read_input_tokens'])
    const written = toCount(cache['cache_creation_input_tokens'])
    return toInputUsage(fresh + read + written, { read, written })
  },
})
