import { z } from 'zod'
import {
  jsonValue,
  pageQuery,
  principal,
  queryFlag,
  shortText,
  time,
} from '../../core/operations/fields.ts'
import { searchedWords } from '../../core/operations/query-fields.ts'
import type { SkillManifest } from './model.ts'

const version = z.string().meta({ description: 'SHA-256 of its content, in hex' })
const texts = z.array(z.string())
const unknownTools = texts.meta({
  description: 'Required tools that this tenant does not have; they are granted once they exist',
})

const manifest: z.ZodType<SkillManifest> = z
  .object({
    name: z.string(),
    description: z.string(),
    tools: texts.meta({ description: 'Tools that an agent with the skill is granted' }),
    permissions: z
      .object({ profile: z.string().optional(), allow: texts.optional(), deny: texts.optional() })
      .optional()
      .meta({
        description: 'The tools that may be used while the skill is active; absent means none',
      }),
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
      .meta({ description: 'Arguments of the skill when it is used as a prompt' }),
    license: z.string().optional(),
    metadata: z.record(z.string(), jsonValue),
  })
  .meta({ id: 'SkillManifest' })

const listingFields = {
  name: z.string(),
  description: z.string(),
  version,
  isDeclared: z.boolean().meta({ description: 'The configuration declares it' }),
  installedAt: time,
  installedBy: principal,
}

/** A skill in a list, with its newest version. */
export const skillListing = z
  .object({
    ...listingFields,
    versions: z.int().meta({ description: 'Number of versions that are kept' }),
  })
  .meta({ id: 'Skill' })
export type SkillListing = z.output<typeof skillListing>

const skillVersion = z.object({
  version,
  files: z.int(),
  bytes: z.int(),
  installedAt: time,
  installedBy: principal,
})
/** One version of a skill. */
export type SkillVersion = z.output<typeof skillVersion>

const skillUser = z.object({ agent: z.string(), version, enabledAt: time, enabledBy: principal })
/** An agent that has a skill, and in which version. */
export type SkillUser = z.output<typeof skillUser>

/** One skill with everything known about it; its versions are newest first. */
export const skillDetail = z
  .object({
    ...listingFields,
    versions: z.array(skillVersion),
    manifest,
    instructions: z.string().meta({ description: 'SKILL.md after its front matter' }),
    files: z.array(z.object({ path: z.string(), bytes: z.int(), isText: z.boolean() })),
    enabledBy: z.array(skillUser).meta({ description: 'Agents that have it; the first 100' }),
    unknownTools,
  })
  .meta({ id: 'SkillDetail' })
export type SkillDetail = z.output<typeof skillDetail>

/** The result of an installation. */
export const skillReceipt = z
  .object({
    name: z.string(),
    version,
    isNew: z.boolean().meta({ description: 'False if this content was already installed' }),
    manifest,
    files: z.int(),
    bytes: z.int(),
    warnings: texts,
    unknownTools,
    dropped: texts.meta({ description: 'Old versions that no agent used, removed to make room' }),
  })
  .meta({ id: 'SkillReceipt' })
export type SkillReceipt = z.output<typeof skillReceipt>

/** A skill that an agent has. */
export const skillPin = z
  .object({ name: z.string(), version, enabledAt: time, enabledBy: principal })
  .meta({ id: 'SkillPin' })
export type SkillPin = z.output<typeof skillPin>

/** The effect of enabling, disabling or changing the version of a skill on an agent. */
export const skillChange = z
  .object({
    agent: z.string(),
    skill: z.string(),
    version: version.optional(),
    previous: version.optional(),
    grants: z.object({
      added: texts.meta({ description: 'Newly granted' }),
      removed: texts.meta({ description: 'No longer granted' }),
      kept: texts.meta({ description: 'Released by the skill, but still held by another source' }),
    }),
    unknownTools,
    isDryRun: z.boolean(),
  })
  .meta({ id: 'SkillChange' })
export type SkillChange = z.output<typeof skillChange>

export const skillQuery = pageQuery(100, 500).extend({
  q: searchedWords('Words in the name or description'),
})

const anyVersion = shortText(
  'A version, or at least its first 8 characters; the newest if omitted',
).optional()
export const versionQuery = z.strictObject({ version: anyVersion })

const onlyShow = 'Show what would change, and change nothing'
export const pinRequest = z
  .strictObject({
    version: anyVersion,
    dryRun: z.boolean().optional().meta({ description: onlyShow }),
  })
  .meta({ id: 'SkillPinRequest' })
export const dryRunQuery = z.strictObject({ dryRun: queryFlag(onlyShow) })
export const forceQuery = z.strictObject({
  force: queryFlag('Also remove it from agents that have it'),
})
