import { z } from 'zod'
import {
  jsonValue,
  pageLimit,
  pageOf,
  patternWarnings,
  shortText,
  time,
} from '../../core/operations/fields.ts'
import { levelSchema } from '../../core/rules/rule-schemas.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import { agentChange, closed, ifVersion, provenance } from '../agents/schemas.ts'

/** The rules of a tenant besides its agents, each with a name. */
export const policyDocumentKinds = ['policy', 'provider', 'profile', 'group', 'pack'] as const
export type PolicyDocumentKind = (typeof policyDocumentKinds)[number]

/** A policy, the level of a provider, a profile, a group or the switch of a pack. */
export const policyDocument = z
  .object({
    kind: z.enum(policyDocumentKinds),
    name: z.string(),
    body: jsonValue,
    closed,
    ...provenance.shape,
    warnings: patternWarnings,
  })
  .meta({
    id: 'PolicyDocument',
    description:
      "A rule of the tenant: its policy, a provider's level, a profile, a group or a pack.",
  })
export type PolicyDocument = z.output<typeof policyDocument>

export const policyDocumentRequest = z.strictObject({ body: jsonValue, version: ifVersion })

const wanted = <T extends z.ZodType>(body: T) => z.record(z.string().max(64), body.nullable())

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
    after: shortText('The `next` of the previous page').optional(),
    limit: z.int().min(1).max(200).optional(),
  })
  .meta({
    id: 'SimulationRequest',
    description:
      'The documents that would be saved. Omitted documents are unchanged; null deletes.',
  })
export type SimulationRequest = z.output<typeof simulationRequest>

const toolNames = z.array(z.string())

/** The changes for one agent. */
const simulatedChange = z
  .object({
    agent: z.string(),
    gains: toolNames.meta({ description: 'Tools it would start to see' }),
    loses: toolNames.meta({ description: 'Tools it would no longer see' }),
    asked: toolNames.meta({ description: 'Those of `loses` that need approval now' }),
    asks: toolNames.meta({ description: 'Tools that would need approval' }),
    allows: toolNames.meta({ description: 'Tools that would no longer need approval' }),
  })
  .meta({ id: 'SimulatedChange' })
export type SimulatedChange = z.output<typeof simulatedChange>

export const simulation = pageOf(simulatedChange).extend({ unchanged: z.int() })
export type Simulation = z.output<typeof simulation>

/** The number of a tenant's tools that a pattern matches, including hidden ones. */
const patternMatch = z
  .object({
    pattern: z.string(),
    count: z.int(),
    tools: z.array(z.string()).meta({ description: 'The first few' }),
    problem: z.string().optional(),
  })
  .meta({ id: 'PatternMatch' })
export type PatternMatch = z.output<typeof patternMatch>

export const patternMatches = z.object({ items: z.array(patternMatch) })
export const patternRequest = z.strictObject({
  patterns: z.array(z.string().max(300)).max(200),
})

/** A present or former tool. */
export const catalogueEntry = z
  .object({
    tool: z.string(),
    title: z.string(),
    state: z.enum(['present', 'gone']),
    firstSeenAt: time,
    goneAt: time.optional(),
    keptUntil: time
      .optional()
      .meta({ description: 'Grants and settings that name it are kept until then' }),
    agents: z.array(z.string()).meta({ description: 'Agents that name it' }),
  })
  .meta({ id: 'CatalogueEntry' })
export type CatalogueEntry = z.output<typeof catalogueEntry>

export const catalogueQuery = z.strictObject({
  state: z.enum(['present', 'gone']).optional(),
  after: shortText('The `next` of the previous page').optional(),
  limit: pageLimit(100, 1000),
})
