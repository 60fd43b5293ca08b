import { z } from 'zod'
import { oauthSchema } from './oauth-schema.ts'

/** Standard paths such as `/.well-known` and the console are at the root of a host. */
const publicUrlSchema = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = URL.parse(text)
  return url === null || url.href === `${url.origin}/`
}, 'must be the address of a host, such as https://crib.example.com: no path, no query')

/** The listening address, request limits and proxies of the server. */
export const serverSchema = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(4680)
    .describe('Port to listen on; 0 takes any free one'),
  host: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all'),
  hosts: z
    .array(z.string())
    .default([])
    .describe(
      'Additional host names that the server answers to; with these or publicUrl, all others are refused',
    ),
  publicUrl: publicUrlSchema
    .optional()
    .describe('The public address, if the server is behind a proxy'),
  trustProxy: z
    .union([z.boolean(), z.int().min(0).max(10)])
    .default(false)
    .describe(
      'With publicUrl: take the client address from X-Forwarded-For, written by this number of proxies (true: one)',
    ),
  failedAuthPerMinute: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe(
      'Failed authentications per minute allowed from one address (IPv6: /64); further ones get 429, valid keys do not',
    ),
  metricsTokenEnv: z
    .string()
    .min(1)
    .optional()
    .describe('The environment variable with the token that /metrics requires'),
  origins: z
    .array(z.url())
    .max(100)
    .default([])
    .describe(
      'Origins whose web pages may use /api/v1 and /mcp from the browser (CORS), with their own token',
    ),
  oauth: oauthSchema
    .prefault({})
    .describe('Access tokens of other issuers that are accepted besides keys'),
  bodyBytes: z
    .int()
    .min(1024)
    .max(104_857_600)
    .default(1_048_576)
    .describe('The largest request body'),
  drainDelayMs: z
    .int()
    .min(0)
    .max(300_000)
    .default(0)
    .describe(
      'How long a stopping server continues to serve while /readyz answers 503, so that a proxy can redirect traffic',
    ),
})
