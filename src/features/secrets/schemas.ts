import { z } from 'zod'
import { pageLimit, shortText, time } from '../../core/operations/fields.ts'
import type { KeyringStatus, RotationStep } from '../../core/secrets/keyring.ts'

const largestPage = 1000

/** The query of the list of secrets. */
export const secretQuery = z.strictObject({
  // A name and an agent, each of maximum length.
  after: z
    .string()
    .min(1)
    .max(401)
    .optional()
    .meta({ description: 'The `next` of the previous page' }),
  limit: pageLimit(100, largestPage),
})

export const ofAgent = z.strictObject({ agent: shortText("This agent's own secret").optional() })

const notes = {
  description: z
    .string()
    .min(1)
    .max(500)
    .refine((text) => !/[\p{Cs}\0]/u.test(text), 'must be text without NUL characters')
    .nullish()
    .meta({ description: 'Its purpose, for people; never the value' }),
  expiresAt: z.iso.datetime({ offset: true }).nullish().meta({
    description: 'When the value expires at its provider; people are warned in advance',
    format: 'date-time',
  }),
}

/** A value to store, with its notes. */
export const secretValue = z
  .strictObject({
    value: z.string().max(65_536).meta({ description: 'Never returned', writeOnly: true }),
    agent: shortText("This agent's own value, which overrides the tenant's").optional(),
    ...notes,
  })
  .meta({ id: 'SecretValue' })

/** People's notes on a secret. Omitted fields are unchanged; null removes one. */
export const secretNotes = z
  .strictObject({ agent: shortText("This agent's own secret").optional(), ...notes })
  .meta({ id: 'SecretNotes' })
export type GivenNotes = Pick<z.output<typeof secretNotes>, 'description' | 'expiresAt'>

/** A secret as it is listed, without its value. */
export const secret = z
  .object({
    name: z.string(),
    agent: z.string().optional(),
    version: z.int(),
    updatedAt: time,
    isEmpty: z.literal(true).optional(),
    description: z.string().optional().meta({ description: 'Its purpose, for people' }),
    expiresAt: time.optional().meta({
      description: 'When the value expires at its provider; Toolcrib keeps using it',
    }),
  })
  .meta({ id: 'Secret', description: 'A secret without its value. Values are never returned.' })

const secretRequirement = z
  .object({
    name: z.string(),
    label: z.string(),
    type: z.enum(['text', 'select']),
    choices: z.array(z.string()),
    sensitive: z.boolean(),
    optional: z.boolean().meta({ description: 'No tool requires it' }),
    requiredBy: z.array(z.string()).meta({ description: 'Tools that require it' }),
    usedBy: z.array(z.string()).meta({ description: 'Tools that use it if it is set' }),
    isSet: z.boolean().meta({ description: 'The tenant has a value for it' }),
    agents: z
      .array(z.object({ agent: z.string(), value: z.string().optional() }))
      .meta({ description: 'Agents with their own value, by name; the first hundred' }),
    moreAgents: z.int().optional().meta({ description: 'How many more there are' }),
    value: z
      .string()
      .optional()
      .meta({ description: 'Only for a choice from a list that is not sensitive' }),
    hasCheck: z.boolean().meta({ description: 'A tool or pack provides a check for it' }),
  })
  .meta({ id: 'SecretRequirement' })
/** A secret that tools declare, and whether it is set. */
export type SecretRequirementStatus = z.output<typeof secretRequirement>

export const secretOverview = z
  .object({
    items: z.array(secret.extend({ usedBy: z.array(z.string()) })),
    requirements: z.array(secretRequirement).meta({ description: 'Only on the first page' }),
    next: z.string().optional().meta({ description: 'Pass as `after` for the next page' }),
  })
  .meta({ id: 'Secrets' })
export type SecretOverview = z.output<typeof secretOverview>

/** The result of checking a secret. `unchecked`: no tool provides a check for it. */
export const secretTest = z
  .object({
    name: z.string(),
    status: z.enum(['good', 'bad', 'unchecked']),
    message: z.string().optional(),
    checkedBy: z.array(z.string()).meta({ description: 'Tools whose checks were run' }),
  })
  .meta({ id: 'SecretTest' })
export type SecretTest = z.output<typeof secretTest>

const counts = z.object({ secrets: z.int(), inputs: z.int() })

export const keyringStatus: z.ZodType<KeyringStatus> = z
  .object({
    activeId: z.string().meta({ description: 'New secrets are sealed with this key' }),
    nextId: z
      .string()
      .optional()
      .meta({ description: 'The first unused key in the ring: the next rotation uses it' }),
    place: z.string().meta({ description: "The source of this node's keys" }),
    keys: z.array(
      counts.extend({
        id: z.string(),
        isActive: z.boolean(),
        isHeld: z.boolean().meta({ description: 'This node holds it' }),
        pepper: z.boolean(),
        missingOn: z.array(z.string()).meta({ description: 'Nodes without it' }),
      }),
    ),
  })
  .meta({ id: 'Keyring' })

export const rotationRequest = z
  .strictObject({
    key: z
      .string()
      .max(200)
      .optional()
      .meta({ description: '32 bytes in base64 or hex, or `id:key`', writeOnly: true }),
    resume: z
      .boolean()
      .optional()
      .meta({ description: 'Continue a rotation, but do not start one' }),
  })
  .meta({ id: 'KeyringRotationRequest' })

export const rotationStep: z.ZodType<RotationStep> = z
  .object({
    keyId: z.string(),
    hasBegun: z.boolean(),
    moved: counts,
    left: counts,
    isDone: z
      .boolean()
      .meta({ description: 'If false, repeat the request with `resume` for the next step' }),
  })
  .meta({ id: 'KeyringRotation' })
