import { z } from 'zod'
import { artifactSchema } from '../network/artifact-schema.ts'

/** Facts that the tools of this pack share. */
export const pairs = (of: string) =>
  z
    .array(
      z.object({
        name: z.string().min(1).max(256).describe('The name'),
        value: z.string().max(16_384).describe('The value'),
      }),
    )
    .max(100)
    .nullable()
    .describe(of)

export const timeoutSchema = z
  .int()
  .min(100)
  .max(60_000)
  .nullable()
  .describe('Milliseconds for the whole exchange (30000)')

export const maxCharsSchema = z
  .int()
  .min(100)
  .max(100_000)
  .nullable()
  .describe('Characters of a text response at most (20000); the rest is kept as an artifact')

export const responseSchema = z.object({
  url: z.string().describe('After redirects'),
  status: z.int(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  mediaType: z.string(),
  json: z.unknown().nullable().describe('The response, if it is JSON'),
  text: z.string().max(100_000).nullable().describe('The response, if it is other text'),
  artifact: artifactSchema.describe('The response, if it is a file or a long text'),
  bytes: z.int(),
  truncated: z.boolean(),
})

/** The secrets whose values can be sent to an API. */
export const tokenKeys = ['http_token', 'http_token_2', 'http_token_3'] as const

const originLabel = (token: string) => `Where ${token} is sent, such as https://api.example.com`
const headerLabel = (token: string) =>
  `The header that carries ${token}, such as x-api-key (authorization, after Bearer)`

/**
 * Credentials for hosts, which the server adds and nobody else sees. Both tools of the pack have
 * them, so a tenant or an agent sets each once.
 */
export const credentialSecrets = [
  { key: 'http_token', label: 'Token for an API', optional: true },
  ...placeOf('http_token'),
  { key: 'http_token_2', label: 'Second token for an API', optional: true },
  ...placeOf('http_token_2'),
  { key: 'http_token_3', label: 'Third token for an API', optional: true },
  ...placeOf('http_token_3'),
] as const

function placeOf<Key extends string>(token: Key) {
  const facts = { optional: true, sensitive: false } as const
  return [
    { key: `${token}_origin` as const, label: originLabel(token), ...facts },
    { key: `${token}_header` as const, label: headerLabel(token), ...facts },
  ] as const
}

export const headerNamePattern = /^[A-Za-z0-9-]{1,64}$/

export const requestOptions = z.object({
  credentials: z
    .array(
      z.object({
        origin: z
          .string()
          .max(300)
          .refine((text) => URL.parse(text)?.origin === text.toLowerCase(), {
            error: 'must be an origin such as https://api.example.com, without a path',
          })
          .describe('Requests to exactly this origin get the header'),
        secret: z.enum(tokenKeys).default('http_token').describe('The secret with the value'),
        header: z
          .string()
          .regex(headerNamePattern)
          .default('authorization')
          .describe('The header that carries it'),
        prefix: z.string().max(64).default('Bearer ').describe('Comes before the value'),
      }),
    )
    .max(20)
    .default([])
    .describe('Credentials that the server adds to requests'),
})

export type CredentialOptions = z.output<typeof requestOptions>
