import { z } from 'zod'
import { oauthSchema } from './oauth-schema.ts'

/** Standards look for what they find at the root of a host, and the console stands there too. */
const publicUrlSchema = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = URL.parse(text)
  return url === null || url.href === `${url.origin}/`
}, 'must be the address of a host, such as https://crib.example.com: no path, no query')

/** How the server listens, what it lets in, and what stands in front of it. */
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
    .describe('Further host names the server answers to; with these or publicUrl, to no others'),
  publicUrl: publicUrlSchema
    .optional()
    .describe('The address people use, where a proxy stands in front'),
  trustProxy: z
    .union([z.boolean(), z.int().min(0).max(10)])
    .default(false)
    .describe(
      'With publicUrl: take the address of a client from X-Forwarded-For, as so many proxies in front have written it (true: one)',
    ),
  failedAuthPerMinute: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe(
      'Requests from one address (IPv6: /64) that may fail to authenticate in a minute; further ones are answered 429, good keys are not',
    ),
  metricsTokenEnv: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the environment variable with the token that /metrics asks for'),
  origins: z
    .array(z.url())
    .max(100)
    .default([])
    .describe(
      'Web pages of these origins may use /api/v1 and /mcp from the browser (CORS), with a token of their own',
    ),
  oauth: oauthSchema
    .prefault({})
    .describe('Access tokens of other issuers that are taken beside keys'),
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
      'How long a stopping server still serves while /readyz answers 503, so that a proxy sends elsewhere first',
    ),
})
