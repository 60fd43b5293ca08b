import { z } from 'zod'
import {
  type AgentTool,
  type PolicyWords,
  toolDecisions,
} from '../../../core/explain/overview-api.ts'

export const agentTool: z.ZodType<AgentTool> = z
  .object({
    tool: z.string(),
    title: z.string(),
    effect: z.enum(['read', 'write', 'destructive']),
    pack: z.string(),
    decision: z.enum(toolDecisions),
    reason: z.string().optional().meta({ description: 'The first rule that hides it or asks' }),
  })
  .meta({ id: 'AgentTool' })

const origin = z.enum(['shipped', 'configuration', 'tenant'])
const patterns = z.array(z.string())

export const policyWords: z.ZodType<PolicyWords> = z
  .object({
    profiles: z.array(z.object({ name: z.string(), origin, allow: patterns, deny: patterns })),
    groups: z.array(z.object({ name: z.string(), origin, patterns })),
    packs: z.array(
      z.object({
        name: z.string(),
        isOptIn: z.boolean(),
        isOn: z.boolean(),
        tools: z.int(),
        setBy: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'PolicyWords', description: 'What patterns and levels of a tenant may name.' })
