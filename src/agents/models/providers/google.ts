import { googleApi } from '../../../core/models/provider-apis.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { defineProvider } from '../provider.ts'
import { providerSettings } from '../provider-settings.ts'
import { toCount, toInputUsage } from '../token-counts.ts'

export const google = defineProvider({
  id: 'google',
  modelPath: '/<model>',
  section: { key: 'google', description: 'Google: models google/…', settings: providerSettings },
  keys: {
    names: ['apiKey'],
    defaults: ['secret:google_api_key', 'env:GOOGLE_GENERATIVE_AI_API_KEY'],
  },
  async open({ request, keys }) {
    return (await import('@ai-sdk/google')).createGoogle({ ...request, ...keys })
  },
  ...googleApi,
  messageMedia: 'all',
  tools: {
    load: async () => (await import('@ai-sdk/google')).google.tools,
    requiredArgs: { file_search: 'fileSearchStoreNames', vertex_rag_store: 'ragCorpus' },
  },
  /** With every chunk. */
  readEarlyUsage({ usageMetadata }) {
    if (!isRecord(usageMetadata)) return undefined
    const { promptTokenCount, cachedContentTokenCount } = usageMetadata
    if (typeof promptTokenCount !== 'number') return undefined
    return toInputUsage(promptTokenCount, { read: toCount(cachedContentTokenCount), written: 0 })
  },
})
