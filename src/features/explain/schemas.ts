import { z } from 'zod'
import { dataKinds, outsideEffects } from '../../core/kernel/tool-labels.ts'
import { layerNames } from '../../core/policy/layers/layers.ts'
import type { Explanation } from '../../core/policy/scope.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import { callError, principal, time } from '../../core/operations/fields.ts'
import { callStatuses } from '../../core/call-state.ts'

const verdict = z.enum(['allow', 'ask', 'deny'])

const change = z
  .object({
    command: z.string().optional(),
    api: z.string().optional(),
    configuration: z.string().optional().meta({ description: 'The key to change' }),
  })
  .meta({ id: 'RuleChange', description: 'The change that would lift a rule, as an action.' })

const ruleFields = {
  reason: z.string().meta({ description: 'A description of the rule that decided' }),
  setBy: z.string().optional().meta({ description: 'Who made the rule' }),
  fix: z.string().optional().meta({ description: 'What would change it' }),
  change: change.optional(),
}

export const explanation: z.ZodType<Explanation> = z
  .object({
    tool: z.string(),
    visible: z.boolean(),
    verdict,
    stoppedBy: z.string().optional(),
    reasons: z.array(z.string()),
    layers: z.array(z.object({ layer: z.enum(layerNames), passes: z.boolean(), ...ruleFields })),
    asks: z
      .array(
        z.object({
          layer: z.enum(['approval', 'hooks', 'autonomy', 'settings', 'data-flow']),
          ...ruleFields,
        }),
      )
      .optional(),
    labels: z
      .object({
        reads: z.array(z.enum(dataKinds)),
        effects: z.enum(outsideEffects),
        setBy: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: 'Explanation' })

/** The decision about one request, and the decision today. */
export const pastDecision = z
  .object({
    id: z.string(),
    kind: z.enum(['refusal', 'call']),
    at: time,
    tool: z.string(),
    principal,
    agent: z.string().optional(),
    parents: z.array(z.string()).readonly().optional(),
    runtime: z.enum(runtimes),
    sessionId: z.string().optional(),
    decided: z.object({
      verdict,
      layer: z.string(),
      rule: z.string(),
      reasons: z.array(z.string()).readonly(),
    }),
    outcome: z.object({ status: z.enum(callStatuses), error: callError.optional() }).optional(),
    now: explanation.optional(),
    difference: z.string(),
  })
  .meta({ id: 'PastDecision' })
export type PastDecision = z.output<typeof pastDecision>

/** An agent's access to a tool: use it, use it after approval, or not see it. */
export const toolDecisions = ['allow', 'ask', 'hidden'] as const

export const agentTool = z
  .object({
    tool: z.string(),
    title: z.string(),
    effect: z.enum(['read', 'write', 'destructive']),
    pack: z.string(),
    decision: z.enum(toolDecisions),
    reason: z.string().optional().meta({ description: 'The first rule that hides it or asks' }),
  })
  .meta({ id: 'AgentTool' })
export type AgentTool = z.output<typeof agentTool>

const origin = z.enum(['shipped', 'configuration', 'tenant'])
export type WordOrigin = z.output<typeof origin>
const patterns = z.array(z.string()).readonly()

export const policyWords = z
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
  .meta({
    id: 'PolicyWords',
    description: 'The names that patterns and levels of a tenant may use.',
  })
export type PolicyWords = z.output<typeof policyWords>
