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

const apiKey = reference.optional().describe('Its API key, as secret:<name> or env:<NAME>')

const common = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where its API is, instead of the usual address'),
  headers: z
    .record(z.string().max(200), z.string().max(2000))
    .default({})
    .describe('Sent with every request to it'),
}

const keyed = z.strictObject({ ...common, apiKey })

const bedrock = z.strictObject({
  ...common,
  region: z.string().min(1).max(100).optional().describe('AWS region, such as eu-central-1'),
  apiKey,
  accessKeyId: reference.optional().describe('AWS access key, instead of apiKey'),
  secretAccessKey: reference.optional().describe('Belongs to accessKeyId'),
  sessionToken: reference.optional().describe('Of temporary AWS credentials'),
})

const compatible = z.strictObject({
  ...common,
  baseUrl: z.url({ protocol: /^https?$/ }).describe('Up to before /chat/completions'),
  apiKey,
})

/** In a currency of one's own choice; costs are in it, too. */
const price = z.strictObject({
  input: z.number().min(0).describe('For a million tokens that the model reads'),
  output: z.number().min(0).describe('For a million tokens that it writes'),
  cachedInput: z.number().min(0).optional().describe('For a million that it had read before'),
  cacheWrite: z.number().min(0).optional().describe('For a million that it keeps to read again'),
})

/** Models that agents may use: where they are reached, and what they cost. */
export const modelsSchema = z.strictObject({
  anthropic: keyed.prefault({}).describe('Anthropic: models anthropic/…'),
  openai: keyed.prefault({}).describe('OpenAI: models openai/…'),
  google: keyed.prefault({}).describe('Google: models google/…'),
  bedrock: bedrock.prefault({}).describe('Amazon Bedrock: models bedrock/…'),
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
