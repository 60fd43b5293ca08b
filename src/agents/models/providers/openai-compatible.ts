import { chatCompletionsApi, documentMedia } from '../../../core/models/provider-apis.ts'
import { defineProvider } from '../provider.ts'
import { address, providerSettings } from '../provider-settings.ts'

const settings = providerSettings.extend({
  baseUrl: address.describe('Up to before /chat/completions'),
})

export const openaiCompatible = defineProvider({
  id: 'openai-compatible',
  modelPath: '/<name>/<model>',
  section: {
    key: 'compatible',
    description: 'Servers that speak the OpenAI API, used as openai-compatible/<name>/<model>',
    settings,
  },
  keys: { names: ['apiKey'], defaults: [] },
  async open({ name, settings: { baseUrl }, request, keys }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const open = createOpenAICompatible({
      ...request,
      ...keys,
      name,
      baseURL: baseUrl,
      includeUsage: true,
    })
    return (model) => open(model)
  },
  ...chatCompletionsApi,
  messageMedia: [...documentMedia, 'audio/wav', 'audio/mpeg'],
})
