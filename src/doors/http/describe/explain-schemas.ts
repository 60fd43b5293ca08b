import { z } from 'zod'
import type { PastDecision } from '../../../core/explain/explain-api.ts'
import { dataKinds, outsideEffects } from '../../../core/kernel/tool-labels.ts'
import { layerNames } from '../../../core/policy/layers/layers.ts'
import type { Explanation } from '../../../core/policy/scope.ts'
import { runtimes } from '../../../core/kernel/runtime.ts'
import { callError, principal, time } from '../../../core/operations/fields.ts'
import { callStatuses } from './schemas.ts'

const verdict = z.enum(['allow', 'ask', 'deny'])

const change = z
  .object({
    command: z.string().optional(),
    api: z.string().optional(),
    configuration: z.string().optional().meta({ description: 'The key to change' }),
  })
  .meta({ id: 'RuleChange', description: 'What would change a rule, as something to do.' })

const ruleFields = {
  reason: z.string().meta({ description: 'The rule that decided, in words' }),
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

export const pastDecision: z.ZodType<PastDecision> = z
  .object({
    id: z.string(),
    kind: z.enum(['refusal', 'call']),
    at: time,
    tool: z.string(),
    principal,
    agent: z.string().optional(),
    parents: z.array(z.string()).optional(),
    runtime: z.enum(runtimes),
    sessionId: z.string().optional(),
    decided: z.object({
      verdict,
      layer: z.string(),
      rule: z.string(),
      reasons: z.array(z.string()),
    }),
    outcome: z.object({ status: z.enum(callStatuses), error: callError.optional() }).optional(),
    now: explanation.optional(),
    difference: z.string(),
  })
  .meta({ id: 'PastDecision' })
