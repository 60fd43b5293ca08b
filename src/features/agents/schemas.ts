import { z } from 'zod'
import { pageQuery, principal, shortText, time } from '../../core/operations/fields.ts'
import { searchedWords } from '../../core/operations/query-fields.ts'
import { agentSchema, levelSchema, type AgentSpec } from '../../core/rules/rule-schemas.ts'
import { toolModes } from '../../core/kernel/meta-tools.ts'

/** The last author of a change, and whether it can be changed here. */
export const provenance = z.object({
  isDeclared: z.boolean().meta({ description: 'Only the configuration can change it' }),
  version: z.int().meta({ description: 'Pass it back to change only this version' }),
  updatedAt: time,
  updatedBy: principal,
})
export type Provenance = z.output<typeof provenance>

export const closed = z
  .string()
  .optional()
  .meta({ description: 'Why it cannot be read; everything that depends on it is denied' })

export const ifVersion = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'Change it only if it still has this version' })

const fields = agentSchema.shape

const summaryFields = {
  slug: z.string(),
  name: z.string().optional(),
  model: z.string(),
  autonomy: z.enum(['conservative', 'standard', 'autonomous']),
  closed,
  ...provenance.shape,
}

/** An agent in a list. */
export const agentSummary = z.object(summaryFields).meta({ id: 'AgentSummary' })
export type AgentSummary = z.output<typeof agentSummary>

const grant = z.object({
  pattern: z.string(),
  kind: z.enum(['allow', 'deny']),
  sources: z.array(z.string()).meta({
    description: 'Its sources: `manual`, `global` for the configuration, `skill:<name>`',
  }),
})

const level = z.object({
  profile: z.string().optional(),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
})

/** One agent with all its grants, whatever holds them. */
export const agent = z
  .object({
    ...summaryFields,
    instructions: z.string(),
    tools: level,
    settings: agentSchema.shape.settings.unwrap(),
    hooks: z.object({
      confirm: z.array(z.string()),
      log: z.array(z.string()),
      silent: z.array(z.string()),
    }),
    permissions: z.array(z.string()).optional(),
    toolMode: z.enum(toolModes),
    shortNames: z.boolean(),
    workspaceMode: fields.workspaceMode,
    subagentWorkspace: fields.subagentWorkspace.unwrap(),
    attachmentsToWorkspace: z.boolean(),
    memoryEnabled: z.boolean(),
    knowledgeEnabled: z.boolean(),
    evals: fields.evals,
    grants: z.array(grant),
    skills: z.array(z.object({ name: z.string(), version: z.string() })),
    warnings: z
      .array(z.string())
      .meta({ description: 'Grants, hooks and settings that match no tool, for example' }),
  })
  .meta({ id: 'Agent' }) as z.ZodType<Agent>
export type Agent = AgentSummary &
  Omit<AgentSpec, keyof AgentSummary> & {
    grants: z.output<typeof grant>[]
    skills: { name: string; version: string }[]
    warnings: string[]
  }

export const agentQuery = pageQuery(50, 500).extend({
  q: searchedWords('Words in the slug, name, description or model'),
})

export const agentRequest = agentSchema.meta({ id: 'AgentRequest' })

/** Without the defaults of the schema: omitted fields are unchanged, and null clears. */
export const agentChange = z
  .strictObject({
    name: fields.name.nullable(),
    model: fields.model.unwrap().optional(),
    instructions: fields.instructions.unwrap().optional(),
    tools: z
      .strictObject({
        profile: z.string().max(64).nullable().optional(),
        allow: levelSchema.shape.allow.unwrap().optional(),
        deny: levelSchema.shape.deny.unwrap().optional(),
      })
      .optional()
      .meta({ description: 'Replaces manual grants; grants held by skills stay' }),
    settings: fields.settings.unwrap().optional(),
    autonomy: fields.autonomy.unwrap().optional(),
    hooks: fields.hooks.unwrap().optional(),
    permissions: fields.permissions.nullable(),
    toolMode: fields.toolMode.unwrap().optional(),
    shortNames: fields.shortNames.unwrap().optional(),
    workspaceMode: fields.workspaceMode.nullable(),
    subagentWorkspace: fields.subagentWorkspace.unwrap().optional(),
    attachmentsToWorkspace: fields.attachmentsToWorkspace.unwrap().optional(),
    memoryEnabled: fields.memoryEnabled.unwrap().optional(),
    knowledgeEnabled: fields.knowledgeEnabled.unwrap().optional(),
    description: fields.description
      .nullable()
      .meta({ description: 'A description makes it the tool agent:<slug>; null removes the tool' }),
    maxSteps: fields.maxSteps.nullable(),
    maxTurnTokens: fields.maxTurnTokens.nullable(),
    providerTools: fields.providerTools.nullable(),
    evals: fields.evals.nullable(),
    version: ifVersion,
  })
  .meta({ id: 'AgentChange' })
export type AgentChange = z.output<typeof agentChange>

export const grantRequest = z
  .strictObject({
    pattern: shortText('A tool, or a pattern: billing.find, billing.*, group:fs, pack:web, *'),
    kind: z.enum(['allow', 'deny']).default('allow'),
  })
  .meta({ id: 'GrantRequest' })
export type GrantRequest = z.output<typeof grantRequest>
