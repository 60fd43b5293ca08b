import { z } from '@hono/zod-openapi'
import type {
  SkillChange,
  SkillDetail,
  SkillListing,
  SkillManifest,
  SkillReceipt,
} from '../../../core/skills/skill.ts'
import type { SkillPin } from '../../../core/skills/skills-api.ts'
import { jsonValue, principal, time } from './schemas.ts'

const version = z.string().openapi({ description: 'SHA-256 of its content, in hex' })
const texts = z.array(z.string())
const unknownTools = texts.openapi({
  description: 'Required tools that this tenant does not have now; they are granted when they come',
})

const manifest: z.ZodType<SkillManifest> = z
  .object({
    name: z.string(),
    description: z.string(),
    tools: texts.openapi({ description: 'What an agent with the skill is granted' }),
    permissions: z
      .object({ profile: z.string().optional(), allow: texts.optional(), deny: texts.optional() })
      .optional()
      .openapi({ description: 'What may be used while it is in force; absent means nothing' }),
    arguments: z
      .array(
        z.object({
          name: z.string(),
          title: z.string().optional(),
          description: z.string().optional(),
          required: z.boolean().optional(),
        }),
      )
      .optional()
      .openapi({ description: 'What it asks for when it is used as a prompt' }),
    license: z.string().optional(),
    metadata: z.record(z.string(), jsonValue),
  })
  .openapi('SkillManifest')

const listingFields = {
  name: z.string(),
  description: z.string(),
  version,
  isDeclared: z.boolean().openapi({ description: 'Configuration declares it' }),
  installedAt: time,
  installedBy: principal,
}

export const skillListing: z.ZodType<SkillListing> = z
  .object({
    ...listingFields,
    versions: z.int().openapi({ description: 'How many versions are kept' }),
  })
  .openapi('Skill')

export const skillDetail: z.ZodType<SkillDetail> = z
  .object({
    ...listingFields,
    versions: z.array(
      z.object({
        version,
        files: z.int(),
        bytes: z.int(),
        installedAt: time,
        installedBy: principal,
      }),
    ),
    manifest,
    instructions: z.string().openapi({ description: 'SKILL.md after its front matter' }),
    files: z.array(z.object({ path: z.string(), bytes: z.int(), isText: z.boolean() })),
    enabledBy: z
      .array(z.object({ agent: z.string(), version, enabledAt: time, enabledBy: principal }))
      .openapi({ description: 'Agents that have it; the first hundred' }),
    unknownTools,
  })
  .openapi('SkillDetail')

export const skillReceipt: z.ZodType<SkillReceipt> = z
  .object({
    name: z.string(),
    version,
    isNew: z.boolean().openapi({ description: 'False when this content was there already' }),
    manifest,
    files: z.int(),
    bytes: z.int(),
    warnings: texts,
    unknownTools,
    dropped: texts.openapi({ description: 'Old versions without an agent that made room' }),
  })
  .openapi('SkillReceipt')

export const skillPin: z.ZodType<SkillPin> = z
  .object({ name: z.string(), version, enabledAt: time, enabledBy: principal })
  .openapi('SkillPin')

export const skillChange: z.ZodType<SkillChange> = z
  .object({
    agent: z.string(),
    skill: z.string(),
    version: version.optional(),
    previous: version.optional(),
    grants: z.object({
      added: texts.openapi({ description: 'Granted now and not before' }),
      removed: texts.openapi({ description: 'Granted no more' }),
      kept: texts.openapi({ description: 'Let go by the skill, and held by something else' }),
    }),
    unknownTools,
    isDryRun: z.boolean(),
  })
  .openapi('SkillChange')
