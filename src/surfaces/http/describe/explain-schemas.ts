import { z } from '@hono/zod-openapi'
import type { LabelSetting, PastDecision } from '../../../core/explain/explain-api.ts'
import type { SessionFlag } from '../../../core/flow/session-flags.ts'
import { dataKinds, outsideEffects } from '../../../core/flow/tool-labels.ts'
import { type Explanation, layerNames } from '../../../core/policy/scope.ts'
import { runtimes } from '../../../core/runtime.ts'
import { callError, callStatuses, principal, time } from './schemas.ts'

const verdict = z.enum(['allow', 'ask', 'deny'])

const change = z
  .object({
    command: z.string().optional(),
    api: z.string().optional(),
    configuration: z.string().optional().openapi({ description: 'The key to change' }),
  })
  .openapi('RuleChange', { description: 'What would change a rule, as something to do.' })

const ruleFields = {
  reason: z.string().openapi({ description: 'The rule that decided, in words' }),
  setBy: z.string().optional().openapi({ description: 'Who made the rule' }),
  fix: z.string().optional().openapi({ description: 'What would change it' }),
  change: change.optional(),
}

/** What a tool reads and affects. */
export const labelFields = {
  reads: z.array(z.enum(dataKinds)).max(dataKinds.length).optional().openapi({
    description: 'untrusted: text that others can write; private: data that is not for others',
  }),
  effects: z
    .enum(outsideEffects)
    .optional()
    .openapi({ description: 'What a call leaves behind, and where' }),
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
  .openapi('Explanation')

export const sessionFlag: z.ZodType<SessionFlag> = z
  .object({ kind: z.enum(dataKinds), callId: z.string(), tool: z.string(), raisedAt: time })
  .openapi('SessionFlag', { description: 'What a session has seen, and by which call first.' })

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
  .openapi('PastDecision')

export const labelSetting: z.ZodType<LabelSetting> = z
  .object({
    pattern: z.string(),
    ...labelFields,
    isDeclared: z.boolean().openapi({ description: 'Configuration says so for every tenant' }),
    setBy: z.string(),
  })
  .openapi('Label')
