import { z } from 'zod'
import type {
  SkillChange,
  SkillDetail,
  SkillListing,
  SkillManifest,
  SkillReceipt,
} from '../../../core/skills/skill.ts'
import type { SkillPin } from '../../../core/skills/skills-api.ts'
import { jsonValue, principal, time } from '../../../core/operations/fields.ts'

const version = z.string().meta({ description: 'SHA-256 of its content, in hex' })
const texts = z.array(z.string())
const unknownTools = texts.meta({
  description: 'Required tools that this tenant does not have now; they are granted when they come',
})

const manifest: z.ZodType<SkillManifest> = z
  .object({
    name: z.string(),
    description: z.string(),
    tools: texts.meta({ description: 'What an agent with the skill is granted' }),
    permissions: z
      .object({ profile: z.string().optional(), allow: texts.optional(), deny: texts.optional() })
      .optional()
      .meta({ description: 'What may be used while it is in force; absent means nothing' }),
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
      .meta({ description: 'What it asks for when it is used as a prompt' }),
    license: z.string().optional(),
    metadata: z.record(z.string(), jsonValue),
  })
  .meta({ id: 'SkillManifest' })

const listingFields = {
  name: z.string(),
  description: z.string(),
  version,
  isDeclared: z.boolean().meta({ description: 'Configuration declares it' }),
  installedAt: time,
  installedBy: principal,
}

export const skillListing: z.ZodType<SkillListing> = z
  .object({
    ...listingFields,
    versions: z.int().meta({ description: 'How many versions are kept' }),
  })
  .meta({ id: 'Skill' })

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
    instructions: z.string().meta({ description: 'SKILL.md after its front matter' }),
    files: z.array(z.object({ path: z.string(), bytes: z.int(), isText: z.boolean() })),
    enabledBy: z
      .array(z.object({ agent: z.string(), version, enabledAt: time, enabledBy: principal }))
      .meta({ description: 'Agents that have it; the first hundred' }),
    unknownTools,
  })
  .meta({ id: 'SkillDetail' })

export const skillReceipt: z.ZodType<SkillReceipt> = z
  .object({
    name: z.string(),
    version,
    isNew: z.boolean().meta({ description: 'False when this content was there already' }),
    manifest,
    files: z.int(),
    bytes: z.int(),
    warnings: texts,
    unknownTools,
    dropped: texts.meta({ description: 'Old versions without an agent that made room' }),
  })
  .meta({ id: 'SkillReceipt' })

export const skillPin: z.ZodType<SkillPin> = z
  .object({ name: z.string(), version, enabledAt: time, enabledBy: principal })
  .meta({ id: 'SkillPin' })

export const skillChange: z.ZodType<SkillChange> = z
  .object({
    agent: z.string(),
    skill: z.string(),
    version: version.optional(),
    previous: version.optional(),
    grants: z.object({
      added: texts.meta({ description: 'Granted now and not before' }),
      removed: texts.meta({ description: 'Granted no more' }),
      kept: texts.meta({ description: 'Let go by the skill, and held by something else' }),
    }),
    unknownTools,
    isDryRun: z.boolean(),
  })
  .meta({ id: 'SkillChange' })
