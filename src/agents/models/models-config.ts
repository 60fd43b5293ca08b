import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { ModelName } from './model-name.ts'
import type { Provider } from './provider.ts'
import { providers } from './providers.ts'

const jsonValue = z.unknown() as z.ZodType<JsonValue>

/** In any currency; costs are in the same one. */
const price = z.strictObject({
  input: z.number().min(0).describe('For a million tokens that the model reads'),
  output: z.number().min(0).describe('For a million tokens that it writes'),
  cachedInput: z.number().min(0).optional().describe('For a million that it had read before'),
  cacheWrite: z.number().min(0).optional().describe('For a million that it keeps to read again'),
})

/** The configuration of models: where each provider is reached, and what models cost. */
export function toModelsSchema(known: readonly Provider[]) {
  return z.strictObject({ ...sectionsOf(known), ...shared })
}

const shared = {
  default: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The model of prompts that name none, where no agent calls them; demo unless set'),
  prices: z
    .record(z.string().max(200), price)
    .default({})
    .describe('By model or pattern (anthropic/claude-*); the longest that fits counts'),
  windows: z
    .record(z.string().max(200), z.int().min(1000).max(100_000_000))
    .default({})
    .describe('How many tokens a model can read, by model or pattern; 128,000 by default'),
  options: z
    .record(z.string().max(200), z.record(z.string().max(100), jsonValue))
    .default({})
    .describe(
      'Options of the provider, by model or pattern, as the AI SDK names them (reasoningEffort); OpenAI gets store: false by default',
    ),
}

function sectionsOf(known: readonly Provider[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    known.flatMap(({ section, modelPath }) => {
      if (section === undefined) return []
      const { key, description, settings } = section
      const schema =
        modelPath === '/<name>/<model>'
          ? z.record(z.string().regex(/^[a-z][a-z0-9-]{0,62}$/), settings).default({})
          : settings.prefault({})
      return [[key, schema.describe(description)]]
    }),
  )
}

export const modelsSchema = toModelsSchema(providers)

/** The fields of every section, besides those that its provider adds. */
export interface ProviderSettings {
  baseUrl?: string | undefined
  headers?: Record<string, string>
  [setting: string]: unknown
}

/** How the provider of this model is configured. */
export function settingsOf(name: ModelName, config: ModelsConfig): ProviderSettings {
  const { provider, server } = name
  if (provider.section === undefined) return {}
  const { key } = provider.section
  const section = config[key]
  if (server === undefined) return section as ProviderSettings
  const servers = section as Readonly<Record<string, ProviderSettings>>
  const found = Object.hasOwn(servers, server) ? servers[server] : undefined
  if (found !== undefined) return found
  throw new ToolError(
    'invalid_config',
    `No server is configured as ${JSON.stringify(server.slice(0, 100))}`,
    { fix: `Add models.${key}.${server} with its baseUrl to the configuration.` },
  )
}

export type ModelsConfig = z.output<typeof modelsSchema> & Readonly<Record<string, unknown>>
export type ModelPrice = z.output<typeof price>
