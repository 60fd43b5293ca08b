import { z } from 'zod'
import { slugSchema as slug } from '../../core/rules/rule-schemas.ts'

/** Allows plain http only on the loopback interface. */
export function isSafeAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

/**
 * Public-key signatures only: with a shared-secret algorithm, the public key could be used as the
 * secret.
 */
export const tokenAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

const claim = z.string().min(1).max(200)
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be an OAuth scope')
const permission = z.string().min(1).max(200)

/** An authorization server whose access tokens are accepted. */
const issuerSchema = z.strictObject({
  issuer: z
    .url()
    .refine(isSafeAddress, 'must be an https address')
    .describe('The issuer exactly as it is in its tokens; used to find its metadata'),
  jwksUrl: z
    .url()
    .refine(isSafeAddress, 'must be an https address')
    .optional()
    .describe('The address of its keys; read from its metadata by default'),
  audience: z
    .array(z.string().min(1).max(1000))
    .min(1)
    .optional()
    .describe('Accepted audiences (the address of /mcp, or of /mcp/<agent>)'),
  algorithms: z
    .array(z.enum(tokenAlgorithms))
    .min(1)
    .default([...tokenAlgorithms])
    .describe('Accepted signature algorithms'),
  requiredScopes: z.array(scope).max(50).default([]).describe('Scopes that a token must have'),
  scopes: z
    .record(scope, z.array(permission).max(100))
    .default({ 'tools.call': ['tools.call'] })
    .describe('Permissions granted by scopes of a token, limited to those of the member'),
  tenant: slug.default('default').describe('The tenant of the members that its tokens identify'),
  tenantClaim: claim.optional().describe('The claim that names the tenant; overrides tenant'),
  tenants: z
    .array(slug)
    .min(1)
    .optional()
    .describe('With tenantClaim: the tenants that are accepted; all by default'),
  agent: slug.optional().describe('Its tokens act as this agent'),
  agentClaim: claim.optional().describe('The claim that names the agent a token acts as'),
  emailClaim: claim.default('email').describe('The claim with the email address of the member'),
  verifiedEmails: z
    .boolean()
    .default(false)
    .describe('Its email addresses are always verified, so email_verified is not required'),
  subjects: z
    .record(z.string().min(1).max(500), z.string().min(1).max(300))
    .default({})
    .describe(
      'Members (id or email address) by the subject of the token; takes precedence over emailClaim',
    ),
  clockToleranceSeconds: z.int().min(0).max(300).default(30).describe('The tolerated clock skew'),
})

/** Access tokens of other issuers, for clients that sign in by OAuth. */
export const oauthSchema = z.strictObject({
  issuers: z
    .array(issuerSchema)
    .max(20)
    .default([])
    .refine(
      (all) => new Set(all.map(({ issuer }) => issuer)).size === all.length,
      'two have the same issuer',
    )
    .describe('Authorization servers whose access tokens are accepted'),
})

export type IssuerConfig = z.output<typeof issuerSchema>
