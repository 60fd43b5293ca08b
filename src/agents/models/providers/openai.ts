import { documentMedia, openAIApi } from '../../../core/models/provider-apis.ts'
import { defineProvider } from '../provider.ts'
import { providerSettings } from '../provider-settings.ts'

export const openai = defineProvider({
  id: 'openai',
  modelPath: '/<model>',
  section: { key: 'openai', description: 'OpenAI: models openai/…', settings: providerSettings },
  keys: { names: ['apiKey'], defaults: ['secret:openai_api_key', 'env:OPENAI_API_KEY'] },
  async open({ request, keys }) {
    return (await import('@ai-sdk/openai')).createOpenAI({ ...request, ...keys })
  },
  ...openAIApi,
  messageMedia: documentMedia,
  // OpenAI would keep answers, and later requests would refer to them by id: a conversation would
  // break when they are deleted there, or with another key.
  options: { store: false },
  tools: {
    load: async () => (await import('@ai-sdk/openai')).openai.tools,
    requiredArgs: { file_search: 'vectorStoreIds', mcp: 'serverLabel' },
  },
})
