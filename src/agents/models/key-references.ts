import { ToolError } from '../../core/errors.ts'
import type { ModelName } from './model-name.ts'
import type { ModelsConfig } from './models-config.ts'

/** A model that somebody else runs. */
export type RealModel = Exclude<ModelName, { kind: 'demo' }>

export type KeyName = 'apiKey' | 'accessKeyId' | 'secretAccessKey' | 'sessionToken'
export type ProviderKeys = Partial<Record<KeyName, string>>

/** Where one of a provider's keys is looked for, in order. */
export interface KeyReference {
  key: KeyName
  from: readonly string[]
  isRequired: boolean
  /** Configuration says so; otherwise these are the usual places. */
  isGiven: boolean
}

const usualPlaces = {
  anthropic: ['secret:anthropic_api_key', 'env:ANTHROPIC_API_KEY'],
  openai: ['secret:openai_api_key', 'env:OPENAI_API_KEY'],
  google: ['secret:google_api_key', 'env:GOOGLE_GENERATIVE_AI_API_KEY'],
} as const

/** Which keys a model needs, and where they may be. */
export function referencesOf(name: RealModel, config: ModelsConfig): KeyReference[] {
  if (name.kind === 'openai-compatible') {
    const { apiKey } = serverOf(name.server, config)
    return apiKey === undefined ? [] : [given('apiKey', apiKey)]
  }
  if (name.kind === 'bedrock') return bedrockReferences(config.bedrock)
  const { apiKey } = config[name.kind]
  if (apiKey !== undefined) return [given('apiKey', apiKey)]
  return [{ key: 'apiKey', from: usualPlaces[name.kind], isRequired: true, isGiven: false }]
}

function bedrockReferences(bedrock: ModelsConfig['bedrock']): KeyReference[] {
  const names = ['apiKey', 'accessKeyId', 'secretAccessKey', 'sessionToken'] as const
  const said = names.flatMap((key) => {
    const from = bedrock[key]
    return from === undefined ? [] : [given(key, from)]
  })
  if (said.length > 0) return said
  const from = ['secret:bedrock_api_key', 'env:AWS_BEARER_TOKEN_BEDROCK']
  return [{ key: 'apiKey', from, isRequired: true, isGiven: false }]
}

function given(key: KeyName, from: string): KeyReference {
  return { key, from: [from], isRequired: true, isGiven: true }
}

/** The compatible server of this name. */
export function serverOf(server: string, { compatible: servers }: ModelsConfig) {
  const found = Object.hasOwn(servers, server) ? servers[server] : undefined
  if (found !== undefined) return found
  throw new ToolError(
    'invalid_config',
    `No OpenAI-compatible server is configured as ${JSON.stringify(server.slice(0, 100))}`,
    { fix: `Add models.compatible.${server} with its baseUrl to the configuration.` },
  )
}
