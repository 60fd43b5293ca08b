import { z } from 'zod'

/** Plain http only where nobody else can listen. */
function isSafeIssuer(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const domain = z
  .string()
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a domain in small letters, such as example.com')

/** A provider that people sign in with. */
const oidcProvider = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be small letters, digits and dashes')
    .describe('Stands in the address of the way back: /sign-in/oidc/<name>/callback'),
  label: z.string().min(1).max(60).describe('What the button says'),
  issuer: z
    .url()
    .refine(isSafeIssuer, 'must be an https address')
    .describe('Where its discovery document is found'),
  clientId: z.string().min(1).max(500).describe('The client as it is registered there'),
  clientSecretEnv: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the environment variable with the client secret; without, a public client'),
  scopes: z
    .array(z.string().min(1))
    .default(['openid', 'email', 'profile'])
    .describe('Scopes that are asked for'),
  tenant: z.string().default('default').describe('Whose members sign in with it'),
  allowedDomains: z
    .array(domain)
    .min(1)
    .optional()
    .describe('Only addresses of these domains may sign in'),
  provision: z
    .strictObject({ role: z.string().default('member').describe('The role they get') })
    .optional()
    .describe('Whoever is not a member yet becomes one; without, they are refused'),
})

/** How people sign in. Links always work. */
export const signInSchema = z.strictObject({
  password: z.boolean().default(true).describe('Members may sign in with a password'),
  startLink: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Print a sign-in link of the owner at every start. `auto`: on a terminal, with --json and in dev; a log that is kept does not get one',
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
