import { z } from 'zod'

/** `secret:<name>` of the tenant's or agent's secrets, or `env:<NAME>` of this machine. Never the value itself. */
export const keyReference = z
  .string()
  .regex(
    /^(?:secret:[a-z][a-z0-9_.-]{0,99}|env:[A-Za-z_][A-Za-z0-9_]{0,99})$/,
    'must be secret:<name> or env:<NAME>; the key itself must not be in the configuration',
  )

export const address = z.url({ protocol: /^https?$/ })

/** Settings of a provider that is reached with an API key. */
export const providerSettings = z.strictObject({
  baseUrl: address.optional().describe('Where its API is, instead of the usual address'),
  headers: z
    .record(z.string().max(200), z.string().max(2000))
    .default({})
    .describe('Sent with every request to it'),
  apiKey: keyReference.optional().describe('Its API key, as secret:<name> or env:<NAME>'),
})
