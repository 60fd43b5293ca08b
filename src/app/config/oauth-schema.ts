import { z } from 'zod'
import { slugSchema as slug } from '../../core/rules/rule-schemas.ts'

/** Plain http only where nobody else can listen. */
export function isSafeAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

/** Signatures with a public key alone: a shared secret would be the public key to whoever confuses the two. */
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

/** An authorization server whose access tokens are taken. */
const issuerSchema = z.strictObject({
  issuer: z
    .url()
    .refine(isSafeAddress, 'must be an https address')
    .describe('As it stands in its tokens; its metadata is found from there'),
  jwksUrl: z
    .url()
    .refine(isSafeAddress, 'must be an https address')
    .optional()
    .describe('Where its keys are; found in its metadata unless given'),
  audience: z
    .array(z.string().min(1).max(1000))
    .min(1)
    .optional()
    .describe('Tokens must be made for one of these (the address of /mcp, or of /mcp/<agent>)'),
  algorithms: z
    .array(z.enum(tokenAlgorithms))
    .min(1)
    .default([...tokenAlgorithms])
    .describe('Signatures that are taken'),
  requiredScopes: z.array(scope).max(50).default([]).describe('Without these a token is refused'),
  scopes: z
    .record(scope, z.array(permission).max(100))
    .default({ 'tools.call': ['tools.call'] })
    .describe('What scopes of a token permit, as far as the member may do it too'),
  tenant: slug.default('default').describe('Whose members its tokens are for'),
  tenantClaim: claim.optional().describe('The claim that names the tenant instead'),
  tenants: z
    .array(slug)
    .min(1)
    .optional()
    .describe('With tenantClaim: only these; every tenant unless given'),
  agent: slug.optional().describe('Its tokens act as this agent'),
  agentClaim: claim.optional().describe('The claim that names the agent a token acts as'),
  emailClaim: claim.default('email').describe('The claim with the e-mail address of the member'),
  verifiedEmails: z
    .boolean()
    .default(false)
    .describe('It knows verified addresses only, so email_verified is not looked for'),
  subjects: z
    .record(z.string().min(1).max(500), z.string().min(1).max(300))
    .default({})
    .describe('Members (id or e-mail address) by the subject of the token; wins over the address'),
  clockToleranceSeconds: z
    .int()
    .min(0)
    .max(300)
    .default(30)
    .describe('How far clocks may be apart'),
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
