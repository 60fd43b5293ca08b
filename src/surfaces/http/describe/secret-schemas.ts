import { z } from '@hono/zod-openapi'
import type { KeyringStatus, RotationStep } from '../../../core/secrets/keyring.ts'
import type { SecretNeed, SecretOverview, SecretTest } from '../../../core/secrets/secrets-api.ts'
import { secretSummary } from './schemas.ts'

const secretNeed: z.ZodType<SecretNeed> = z
  .object({
    name: z.string(),
    label: z.string(),
    type: z.enum(['text', 'select']),
    choices: z.array(z.string()),
    sensitive: z.boolean(),
    optional: z.boolean().openapi({ description: 'No tool needs it to run' }),
    requiredBy: z.array(z.string()).openapi({ description: 'Tools that do not run without it' }),
    usedBy: z.array(z.string()).openapi({ description: 'Tools that use it where it is set' }),
    isSet: z.boolean().openapi({ description: 'The tenant has a value for it' }),
    agents: z
      .array(z.object({ agent: z.string(), value: z.string().optional() }))
      .openapi({ description: 'Agents with a value of their own; the first hundred' }),
    moreAgents: z.int().optional().openapi({ description: 'How many more there are' }),
    value: z
      .string()
      .optional()
      .openapi({ description: 'Only of a choice from a list that is not sensitive' }),
    hasCheck: z.boolean().openapi({ description: 'It can be tried out' }),
  })
  .openapi('SecretRequirement')

export const secretOverview: z.ZodType<SecretOverview> = z
  .object({
    items: z.array(z.intersection(secretSummary, z.object({ usedBy: z.array(z.string()) }))),
    requirements: z.array(secretNeed).openapi({ description: 'With the first page alone' }),
    next: z.string().optional().openapi({ description: 'Pass it as `after` for the next page' }),
  })
  .openapi('Secrets')

export const secretTest: z.ZodType<SecretTest> = z
  .object({
    name: z.string(),
    status: z.enum(['good', 'bad', 'unchecked']),
    message: z.string().optional(),
    checkedBy: z.array(z.string()).openapi({ description: 'Tools whose checks were run' }),
  })
  .openapi('SecretTest')

const counts = z.object({ secrets: z.int(), inputs: z.int() })

export const keyringStatus: z.ZodType<KeyringStatus> = z
  .object({
    activeId: z.string().openapi({ description: 'New secrets are sealed with this one' }),
    nextId: z
      .string()
      .optional()
      .openapi({ description: 'First in the ring and not in use: the next rotation takes it' }),
    place: z.string().openapi({ description: 'Where this node has its keys from' }),
    keys: z.array(
      counts.extend({
        id: z.string(),
        isActive: z.boolean(),
        isHeld: z.boolean().openapi({ description: 'This node holds it' }),
        pepper: z.boolean(),
        missingOn: z.array(z.string()).openapi({ description: 'Nodes without it' }),
      }),
    ),
  })
  .openapi('Keyring')

export const rotationStep: z.ZodType<RotationStep> = z
  .object({
    keyId: z.string(),
    hasBegun: z.boolean(),
    moved: counts,
    left: counts,
    isDone: z
      .boolean()
      .openapi({ description: 'False: ask again with `resume` for the next step' }),
  })
  .openapi('KeyringRotation')
