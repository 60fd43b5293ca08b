import { z } from 'zod'
import type { JsonValue } from '../../core/json.ts'

const jsonValue = z.unknown() as z.ZodType<JsonValue>

/** `secret:<name>` of the tenant's or agent's secrets, or `env:<NAME>` of this machine. Never the value itself. */
const reference = z
  .string()
  .regex(
    /^(?:secret:[a-z][a-z0-9_.-]{0,99}|env:[A-Za-z_][A-Za-z0-9_]{0,99})$/,
    'must be secret:<name> or env:<NAME>; a key never stands in the configuration',
  )

const common = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where its API is, instead of the usual address'),
  headers: z.record(z.string().max(200), z.string().max(2000)).default({}),
}

const keyed = z.strictObject({ ...common, apiKey: reference.optional() })

const bedrock = z.strictObject({
  ...common,
  region: z.string().min(1).max(100).optional(),
  apiKey: reference.optional(),
  accessKeyId: reference.optional(),
  secretAccessKey: reference.optional(),
  sessionToken: reference.optional(),
})

const compatible = z.strictObject({
  ...common,
  baseUrl: z.url({ protocol: /^https?$/ }).describe('Up to before /chat/completions'),
  apiKey: reference.optional(),
})

/** In a currency of one's own choice; costs are in it, too. */
const price = z.strictObject({
  input: z.number().min(0).describe('For a million tokens that the model reads'),
  output: z.number().min(0).describe('For a million tokens that it writes'),
  cachedInput: z.number().min(0).optional().describe('For a million that it had read before'),
  cacheWrite: z.number().min(0).optional(),
})

/** Models that agents may use: where they are reached, and what they cost. */
export const modelsSchema = z.strictObject({
  anthropic: keyed.prefault({}),
  openai: keyed.prefault({}),
  google: keyed.prefault({}),
  bedrock: bedrock.prefault({}),
  compatible: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,62}$/), compatible)
    .default({})
    .describe('Servers that speak the OpenAI API, used as openai-compatible/<name>/<model>'),
  prices: z
    .record(z.string().max(200), price)
    .default({})
    .describe('By model or pattern (anthropic/claude-*); the longest that fits counts'),
  windows: z
    .record(z.string().max(200), z.int().min(1000).max(100_000_000))
    .default({})
    .describe('How many tokens a model can read, by model or pattern; 128,000 unless said'),
  options: z
    .record(z.string().max(200), z.record(z.string().max(100), jsonValue))
    .default({})
    .describe(
      'Options of the provider, by model or pattern, as the AI SDK names them (reasoningEffort); OpenAI gets store: false unless said',
    ),
})

export type ModelsConfig = z.output<typeof modelsSchema>
export type ModelPrice = z.output<typeof price>
