import { z } from 'zod'

/** Plain http is safe only on this machine. */
function isSafeIssuer(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const domain = z
  .string()
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a domain in lower case, such as example.com')

/** A provider that people sign in with. */
const oidcProvider = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower case letters, digits and dashes')
    .describe('Part of the redirect address: /sign-in/oidc/<name>/callback'),
  label: z.string().min(1).max(60).describe('The text of the sign-in button'),
  issuer: z
    .url()
    .refine(isSafeIssuer, 'must be an https address')
    .describe('The URL under which its discovery document is found'),
  clientId: z
    .string()
    .min(1)
    .max(500)
    .describe('The id of the client registered with the provider'),
  clientSecretEnv: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name of the environment variable with the client secret; a public client if omitted',
    ),
  scopes: z
    .array(z.string().min(1))
    .default(['openid', 'email', 'profile'])
    .describe('Scopes to request'),
  tenant: z.string().default('default').describe('The tenant whose members sign in with it'),
  allowedDomains: z
    .array(domain)
    .min(1)
    .optional()
    .describe('Only email addresses of these domains can sign in'),
  provision: z
    .strictObject({ role: z.string().default('member').describe('Their role') })
    .optional()
    .describe('Add people who are not members yet; they are refused if omitted'),
})

/** How people sign in. Sign-in links always work. */
export const signInSchema = z.strictObject({
  password: z.boolean().default(true).describe('Members can sign in with a password'),
  startLink: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Print a sign-in link for the owner at every start. `auto`: on a terminal, with --json and in dev, but never into a stored log',
    ),
  oidc: z
    .array(oidcProvider)
    .max(20)
    .default([])
    .refine(
      (providers) => new Set(providers.map(({ name }) => name)).size === providers.length,
      'two providers have the same name',
    )
    .describe('Providers that people sign in with (OpenID Connect)'),
})

export type SignInConfig = z.output<typeof signInSchema>
export type OidcProviderConfig = z.output<typeof oidcProvider>
