import { z } from 'zod'
import type {
  Agent,
  AgentSummary,
  CatalogueEntry,
  PolicyDocument,
  SimulatedChange,
} from '../../../core/rules/governance-api.ts'
import { policyDocumentKinds } from '../../../core/rules/governance-api.ts'
import { agentSchema, levelSchema } from '../../../core/rules/rule-schemas.ts'
import { runtimes } from '../../../core/runtime.ts'
import {
  jsonValue,
  patternWarnings,
  principal,
  shortText,
  time,
} from '../../../core/operations/fields.ts'
import { toolModes } from '../../../core/search/meta-tools.ts'

const provenance = {
  isDeclared: z.boolean().meta({ description: 'Only configuration changes it' }),
  version: z.int().meta({ description: 'Give it back to change only what you have seen' }),
  updatedAt: time,
  updatedBy: principal,
}

const closed = z
  .string()
  .optional()
  .meta({ description: 'Why it could not be read; what rests on it lets nothing through' })

const summaryFields = {
  slug: z.string(),
  name: z.string().optional(),
  model: z.string(),
  autonomy: z.enum(['conservative', 'standard', 'autonomous']),
  closed,
  ...provenance,
}

export const agentSummary: z.ZodType<AgentSummary> = z
  .object(summaryFields)
  .meta({ id: 'AgentSummary' })

const grant = z.object({
  pattern: z.string(),
  kind: z.enum(['allow', 'deny']),
  sources: z.array(z.string()).meta({
    description: 'Who holds it: `manual`, `global` for configuration, `skill:<name>`',
  }),
})

const level = z.object({
  profile: z.string().optional(),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
})

export const agent: z.ZodType<Agent> = z
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
    memoryEnabled: z.boolean(),
    knowledgeEnabled: z.boolean(),
    grants: z.array(grant),
    skills: z.array(z.object({ name: z.string(), version: z.string() })),
    warnings: z
      .array(z.string())
      .meta({ description: 'Grants, hooks and settings that fit no tool, and the like' }),
  })
  .meta({ id: 'Agent' })

// Made anew: only what is built with this zod can be described.
export const agentRequest = z.strictObject(agentSchema.shape).meta({ id: 'AgentRequest' })

const fields = agentSchema.shape

/** Without the defaults of the schema: what is left out of a change stays. */
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
      .meta({ description: 'Replaces what was given by hand; what skills hold stays' }),
    settings: fields.settings.unwrap().optional(),
    autonomy: fields.autonomy.unwrap().optional(),
    hooks: fields.hooks.unwrap().optional(),
    permissions: fields.permissions.nullable(),
    toolMode: fields.toolMode.unwrap().optional(),
    memoryEnabled: fields.memoryEnabled.unwrap().optional(),
    knowledgeEnabled: fields.knowledgeEnabled.unwrap().optional(),
    description: fields.description
      .nullable()
      .meta({ description: 'With one it is the tool agent:<slug>; null switches that off' }),
    maxSteps: fields.maxSteps.nullable(),
    maxTurnTokens: fields.maxTurnTokens.nullable(),
    providerTools: fields.providerTools.nullable(),
    version: z.int().min(0).optional().meta({ description: 'Only if it still has this one' }),
  })
  .meta({ id: 'AgentChange' })

export const grantRequest = z
  .strictObject({
    pattern: shortText('A tool, or a pattern: billing.find, billing.*, group:fs, pack:web, *'),
    kind: z.enum(['allow', 'deny']).default('allow'),
  })
  .meta({ id: 'GrantRequest' })

export const document: z.ZodType<PolicyDocument> = z
  .object({
    kind: z.enum(policyDocumentKinds),
    name: z.string(),
    body: jsonValue,
    closed,
    ...provenance,
    warnings: patternWarnings,
  })
  .meta({
    id: 'PolicyDocument',
    description:
      'What a tenant decides: its policy, a level of a provider, a profile, group, pack.',
  })

const wanted = <T extends z.ZodType>(body: T) => z.record(z.string().max(64), body.nullable())

export const patternMatch = z
  .object({
    pattern: z.string(),
    count: z.int(),
    tools: z.array(z.string()).meta({ description: 'The first few' }),
    problem: z.string().optional(),
  })
  .meta({ id: 'PatternMatch' })

export const simulationRequest = z
  .strictObject({
    policy: levelSchema.nullable().optional(),
    providers: wanted(levelSchema).optional(),
    profiles: wanted(
      z.strictObject({ allow: levelSchema.shape.allow, deny: levelSchema.shape.deny }),
    ).optional(),
    groups: wanted(levelSchema.shape.allow).optional(),
    packs: wanted(z.boolean()).optional(),
    agents: z.record(z.string().max(64), agentChange).optional(),
    runtime: z.enum(runtimes).optional(),
    agent: shortText('Only this agent').optional(),
    after: shortText('The `next` of the page before').optional(),
    limit: z.int().min(1).max(200).optional(),
  })
  .meta({
    id: 'SimulationRequest',
    description: 'What would be saved. What is left out stays as it is; null is taken away.',
  })

const toolNames = z.array(z.string())

export const simulatedChange: z.ZodType<SimulatedChange> = z
  .object({
    agent: z.string(),
    gains: toolNames.meta({ description: 'Tools it would see and does not now' }),
    loses: toolNames.meta({ description: 'Tools it sees now and would not' }),
    asks: toolNames.meta({ description: 'Tools a person would have to be asked about' }),
    allows: toolNames.meta({ description: 'Tools nobody would be asked about any more' }),
  })
  .meta({ id: 'SimulatedChange' })

export const catalogueEntry: z.ZodType<CatalogueEntry> = z
  .object({
    tool: z.string(),
    title: z.string(),
    state: z.enum(['present', 'gone']),
    firstSeenAt: time,
    goneAt: time.optional(),
    keptUntil: time.optional().meta({ description: 'Until then what names it is kept' }),
    agents: z.array(z.string()).meta({ description: 'Agents that name it' }),
  })
  .meta({ id: 'CatalogueEntry' })
