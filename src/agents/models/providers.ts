import type { LanguageModel } from 'ai'
import { type ProviderKeys, type RealModel, serverOf } from './key-references.ts'
import type { ModelsConfig } from './models-config.ts'

/** Models of one provider by their own names. */
export type Provider = (model: string) => Exclude<LanguageModel, string>

/** Opens a provider. Each is loaded when it is first used: together they are half of a server's start. */
export async function openProvider(
  name: RealModel,
  config: ModelsConfig,
  keys: ProviderKeys,
): Promise<Provider> {
  if (name.kind === 'openai-compatible') return openCompatible(name.server, config, keys)
  const { baseUrl, headers } = config[name.kind]
  const { heardFetch } = await import('./heard-fetch.ts')
  const address = baseUrl === undefined ? {} : { baseURL: baseUrl }
  const settings = { ...address, headers, ...keys, fetch: heardFetch }
  switch (name.kind) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings)
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      const { region } = config.bedrock
      return createAmazonBedrock({ ...settings, ...(region !== undefined && { region }) })
    }
  }
}

async function openCompatible(
  server: string,
  config: ModelsConfig,
  { apiKey }: ProviderKeys,
): Promise<Provider> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const { heardFetch } = await import('./heard-fetch.ts')
  const { baseUrl, headers } = serverOf(server, config)
  const provider = createOpenAICompatible({
    name: server,
    baseURL: baseUrl,
    headers,
    includeUsage: true,
    fetch: heardFetch,
    ...(apiKey !== undefined && { apiKey }),
  })
  return (model) => provider(model)
}
