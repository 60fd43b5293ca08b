import { z } from '@hono/zod-openapi'
import type { Settings } from '../../../core/settings/settings-api.ts'

const signInProvider = z
  .object({
    name: z.string(),
    label: z.string(),
    issuer: z.string(),
    tenant: z.string().openapi({ description: 'Whose members sign in with it' }),
    allowedDomains: z.array(z.string()).optional(),
    joinsAs: z.string().optional().openapi({
      description: 'The role of whoever is no member yet; without it they are refused',
    }),
  })
  .openapi('SignInProvider')

/** What is configured. */
export const settings: z.ZodType<Settings> = z
  .object({
    version: z.string(),
    store: z.enum(['pglite', 'postgres']),
    publicUrl: z.string().optional(),
    retention: z.object({
      days: z
        .number()
        .optional()
        .openapi({ description: 'Calls that ended, and events; kept for ever unless set' }),
      goneToolDays: z
        .number()
        .openapi({ description: 'How long grants and settings of a tool that is gone are kept' }),
    }),
    approvals: z.object({ expiresIn: z.string(), allowSelf: z.boolean() }),
    signIn: z.object({ password: z.boolean(), providers: z.array(signInProvider) }),
    roles: z.array(
      z.object({
        name: z.string(),
        permissions: z.array(z.string()),
        isShipped: z.boolean().openapi({ description: 'False: the configuration declares it' }),
      }),
    ),
    permissions: z
      .array(z.string())
      .openapi({ description: 'What keys and roles may be given; tools bring more of their own' }),
  })
  .openapi('Settings')
