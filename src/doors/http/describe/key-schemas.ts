import { z } from 'zod'
import type { KeyAnswer, TokenReport, VisitorToken } from '../../../core/keys/keys-api.ts'
import { apiKey } from './schemas.ts'

export const keyAnswer: z.ZodType<KeyAnswer> = z
  .object({
    key: apiKey,
    token: z.string().meta({ description: 'In this answer and nowhere else' }),
    warnings: z.array(z.string()).optional().meta({ description: 'Scopes that give nothing now' }),
  })
  .meta({ id: 'IssuedKey' })

export const visitorToken: z.ZodType<VisitorToken> = z
  .object({
    key: apiKey,
    token: z.string().meta({ description: 'In this answer and nowhere else' }),
    expiresAt: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'VisitorToken' })

export const tokenReport: z.ZodType<TokenReport> = z
  .object({
    id: z.string(),
    state: z.enum(['live', 'replaced', 'expired', 'revoked', 'unknown', 'not_a_key']).meta({
      description:
        '`replaced`: the key has another secret by now; `not_a_key`: it only looks like one, and its `id` is how it begins',
    }),
    name: z.string().optional(),
  })
  .meta({ id: 'TokenReport' })
