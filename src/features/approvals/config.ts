import { z } from 'zod'
import { toDurationMs } from '../../core/kernel/duration.ts'
import { patternsSchema as patterns, slugSchema as slug } from '../../core/rules/rule-schemas.ts'

const duration = z
  .string()
  .refine(
    (text) => (toDurationMs(text) ?? Infinity) <= 30 * 86_400_000,
    'must be a time such as 90m, 24h or 7d, at most 30d',
  )

/** fetch refuses an address with a password, and its error message would put it on record. */
function hasNoPassword(url: string): boolean {
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** Approvers, expiry and notifications. */
export const approvalsSchema = z.strictObject({
  expiresIn: duration
    .default('24h')
    .describe('How long a call waits for approval, unless a rule sets it'),
  allowSelf: z
    .boolean()
    .default(true)
    .describe('Requesters may approve their own calls, unless a rule sets it'),
  rules: z
    .array(
      z.strictObject({
        tools: patterns.min(1),
        agents: z.array(slug).min(1).optional().describe('For calls of these agents only'),
        approvers: z
          .array(
            z
              .string()
              .regex(
                /^(?:user|key|permission):[^\s]{1,200}$/,
                'must be user:<id>, key:<id> or permission:<name>',
              ),
          )
          .min(1)
          .optional()
          .describe('Only these may decide; they also need the permission approvals.decide'),
        quorum: z.int().min(1).max(20).optional().describe('How many people must approve (1)'),
        expiresIn: duration.optional().describe('How long such a call waits'),
        requester: z
          .enum(['barred', 'allowed'])
          .optional()
          .describe('Whether requesters may decide on their own calls'),
      }),
    )
    .default([])
    .describe('The first rule that matches a call determines its approvers'),
  webhook: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .refine(hasNoPassword, 'must not hold a name or password; notices are signed instead')
        .describe('Receives a POST for every pending call'),
      secretEnv: z
        .string()
        .min(1)
        .optional()
        .describe('Name of the environment variable with the signing secret (whsec_…)'),
    })
    .optional()
    .describe('Notifies another system of pending calls'),
})
