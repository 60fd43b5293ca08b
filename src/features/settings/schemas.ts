import { z } from 'zod'

const signInProvider = z
  .object({
    name: z.string(),
    label: z.string(),
    issuer: z.string(),
    tenant: z.string().meta({ description: 'The tenant whose members sign in with it' }),
    allowedDomains: z.array(z.string()).optional(),
    joinsAs: z.string().optional().meta({
      description: 'The role of new members; without it they are refused',
    }),
  })
  .meta({ id: 'SignInProvider' })
export type SignInProvider = z.output<typeof signInProvider>

/** The configured settings. */
export const settings = z
  .object({
    version: z.string(),
    store: z.enum(['pglite', 'postgres']),
    publicUrl: z.string().optional(),
    retention: z.object({
      days: z
        .number()
        .optional()
        .meta({ description: 'Finished calls, and events; kept forever if omitted' }),
      goneToolDays: z
        .number()
        .meta({ description: 'How long grants and settings of a removed tool are kept' }),
    }),
    approvals: z.object({ expiresIn: z.string(), allowSelf: z.boolean() }),
    signIn: z.object({ password: z.boolean(), providers: z.array(signInProvider) }),
    roles: z.array(
      z.object({
        name: z.string(),
        permissions: z.array(z.string()),
        isShipped: z.boolean().meta({ description: 'False: the configuration declares it' }),
      }),
    ),
    permissions: z
      .array(z.string())
      .meta({ description: 'The permissions that keys and roles can have; tools add their own' }),
  })
  .meta({ id: 'Settings' })
