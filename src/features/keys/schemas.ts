import { z } from 'zod'
import { shortText, time } from '../../core/operations/fields.ts'
import { toolModes } from '../../core/kernel/meta-tools.ts'

/** The longest time that an old secret may keep working after a rotation. */
const maxOverlapSeconds = 7 * 86_400

/** An API key, without its secret. */
export const apiKey = z
  .object({
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    scopes: z.array(z.string()).readonly(),
    agent: z.string().optional(),
    createdAt: time,
    expiresAt: time.optional(),
    toolMode: z.enum(toolModes).optional(),
    owner: z.object({ tenant: z.string(), id: z.string() }).optional().meta({
      description:
        'The member it belongs to; absent: the first owner. It can do no more than they may',
    }),
    lastUsedAt: time.optional(),
    rotatedAt: time.optional(),
    oldSecretUntil: time.optional().meta({
      format: 'date-time',
      description: 'How long the secret before the rotation works',
    }),
    revokedAt: time.optional(),
    parent: z
      .string()
      .optional()
      .meta({ description: 'For a visitor: the key that issues their tokens' }),
    visitor: z.string().optional().meta({ description: 'The name of the visitor' }),
  })
  .meta({ id: 'ApiKey' })

const token = z.string().meta({ description: 'Only in this response' })

/** A key that was just created or rotated. */
export const issuedKey = z
  .object({
    key: apiKey,
    token,
    warnings: z
      .array(z.string())
      .readonly()
      .optional()
      .meta({ description: 'Scopes that grant nothing at the moment' }),
  })
  .meta({ id: 'IssuedKey' })
export type IssuedKeyAnswer = z.output<typeof issuedKey>

export const visitorToken = z
  .object({ key: apiKey, token, expiresAt: time })
  .meta({ id: 'VisitorToken' })

/** The state of a leaked token. */
export const tokenReport = z
  .object({
    id: z.string(),
    state: z.enum(['live', 'replaced', 'expired', 'revoked', 'unknown', 'not_a_key']).meta({
      description:
        '`replaced`: the key has a newer secret; `not_a_key`: it only looks like a key, and `id` is its beginning',
    }),
    name: z.string().optional(),
  })
  .meta({ id: 'TokenReport' })
export type TokenReport = z.output<typeof tokenReport>

function scopes(example: string[]) {
  return z.array(shortText('A permission, or a pattern of them')).min(1).max(100).meta({ example })
}

export const keyRequest = z
  .strictObject({
    name: shortText('The purpose of the key'),
    scopes: scopes(['tools.call', 'audit.read']),
    agent: shortText('Bind the key to this agent').optional(),
    toolMode: z.enum(toolModes).optional().meta({
      description: 'List all tools, offer a search, or offer code.run with the types of all',
    }),
    expiresAt: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'When it stops working', format: 'date-time' }),
  })
  .meta({ id: 'KeyRequest' })

export const visitorTokenRequest = z
  .strictObject({
    visitor: shortText('Your own stable id for the person, not an email address'),
    scopes: scopes(['agents.chat', 'tools.call']),
    agent: shortText('Bind the token to this agent').optional(),
    expiresInSeconds: z
      .int()
      .min(60)
      .max(86_400)
      .default(3600)
      .meta({ description: 'An hour by default, a day at most' }),
  })
  .meta({ id: 'VisitorTokenRequest' })

export const keyRotation = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(maxOverlapSeconds)
      .default(0)
      .meta({ description: 'How long the old secret keeps working (0)' }),
  })
  .meta({ id: 'KeyRotation' })

export const tokenCheck = z
  .strictObject({
    tokens: z
      .array(z.string().max(200))
      .min(1)
      .max(100)
      .meta({ description: 'Whole tokens', writeOnly: true }),
  })
  .meta({ id: 'TokenCheck' })
