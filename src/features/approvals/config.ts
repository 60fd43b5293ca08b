import { z } from 'zod'
import { toDurationMs } from '../../core/kernel/duration.ts'
import { patternsSchema as patterns, slugSchema as slug } from '../../core/rules/rule-schemas.ts'

const duration = z
  .string()
  .refine(
    (text) => (toDurationMs(text) ?? Infinity) <= 30 * 86_400_000,
    'must be a time such as 90m, 24h or 7d, at most 30d',
  )

/** No request is made to an address with a password in it, and its failure would put it on record. */
function hasNoPassword(url: string): boolean {
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** Who is asked, how long a call waits for them, and who is told. */
export const approvalsSchema = z.strictObject({
  expiresIn: duration
    .default('24h')
    .describe('How long a call waits for a person, unless a rule says so'),
  allowSelf: z
    .boolean()
    .default(true)
    .describe('Whoever asked for a call may approve it, unless a rule says so'),
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
          .describe(
            'Only these may decide; they need the permission approvals.decide all the same',
          ),
        quorum: z.int().min(1).max(20).optional().describe('How many people must say yes (1)'),
        expiresIn: duration.optional().describe('How long such a call waits'),
        requester: z
          .enum(['barred', 'allowed'])
          .optional()
          .describe('May whoever asked for the call decide on it?'),
      }),
    )
    .default([])
    .describe('The first that fits a call decides who is asked'),
  webhook: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .refine(hasNoPassword, 'must not hold a name or password; notices are signed instead')
        .describe('Is sent a POST for every call that waits'),
      secretEnv: z
        .string()
        .min(1)
        .optional()
        .describe('Name of the environment variable with the signing secret (whsec_…)'),
    })
    .optional()
    .describe('Who is told of calls that wait'),
})
