import { z } from 'zod'

/** The middle of `api:<name>:<operation>`. */
export const apiNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be lower case letters, digits, dashes and underscores, at most 63',
  )

/** The name of a secret within a header: `Bearer secret:github_token`. */
export const namedSecret = /(?<![^\s])secret:([A-Za-z][A-Za-z0-9_.-]{0,63})(?![^\s])/g

const address = z.url({ protocol: /^https?$/ }).max(2000)
const pattern = z.string().min(1).max(200)
const patterns = z.array(pattern).max(1000).default([])
const secretName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'must be the name of a secret')

/** Settings must not contain headers of the connection or the body. */
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be the name of a header')
  .refine(
    (name) => !/^(?:host|content-length|content-type|transfer-encoding|connection)$/i.test(name),
    'is set by the connection',
  )

/** The settings of an API, without its name and document. */
export const apiSettings = {
  title: z.string().max(200).optional().describe('Display name'),
  server: address
    .optional()
    .describe(
      'The address of the API; the first of the document if omitted. Credentials go only to its host',
    ),
  auth: z
    .record(z.string().min(1).max(200), secretName)
    .default({})
    .describe('By security scheme of the document: the name of the secret that signs requests'),
  headers: z
    .record(headerName, z.string().max(4096))
    .default({})
    .describe('Sent with every request; secret:<name> is resolved'),
  include: patterns.describe(
    'Only these operations become tools: names or patterns, `GET /repos/*`, or `tag:<tag>`; all if empty',
  ),
  exclude: patterns.describe('These operations do not become tools, by the same patterns'),
  effects: z
    .record(pattern, z.enum(['read', 'write', 'destructive']))
    .default({})
    .describe('A stronger effect than that of the verb, by operation or pattern'),
  timeoutMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('The timeout of calls to its operations'),
  maxResponseBytes: z
    .int()
    .min(1024)
    .max(67_108_864)
    .default(8_388_608)
    .describe('Larger responses are refused'),
  maxOutputBytes: z
    .int()
    .min(1024)
    .max(16_777_216)
    .default(51_200)
    .describe('The maximum size of a result for callers; the rest is stored as an artifact'),
  private: z.boolean().optional().describe('Allow an address that is not on the public internet'),
  pin: z
    .boolean()
    .default(true)
    .describe('Quarantine a changed operation until someone accepts it'),
  enabled: z.boolean().default(true).describe('False hides its tools but keeps the API'),
}

/** An API as it is added and stored: where its document is, and what is done with it. */
export const apiSchema = z.strictObject({
  url: address.optional().describe('The address of the document; absent for one that was uploaded'),
  ...apiSettings,
})

export type ApiSpec = z.output<typeof apiSchema>

/** The secrets that the settings name. */
export function secretsOf({ auth, headers }: Pick<ApiSpec, 'auth' | 'headers'>): string[] {
  const named = Object.values(headers).flatMap((text) =>
    [...text.matchAll(namedSecret)].map(([, name = '']) => name),
  )
  return [...new Set([...Object.values(auth), ...named])].sort()
}

/** The pack that contains the tools of an API. */
export function apiPack(api: string): string {
  return `api-${api}`.slice(0, 128)
}
