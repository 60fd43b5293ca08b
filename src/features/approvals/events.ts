import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, moment, reason, text, texts, tool } from '../../core/operations/payload-fields.ts'
import { jsonValue } from '../../core/operations/fields.ts'

const approvalId = text('The approval')
const by = text('The decider, as `kind:id`')

export const approvalEvents = defineEvents(
  {
    noun: 'Approval',
    group: 'approvals',
    stale: ['approvals', 'approval-rules', 'calls', 'call', 'conversations'],
    inCall: true,
  },
  {
    'approval.requested': {
      meaning: 'A call needs approval: why, and until when',
      data: () =>
        z.object({
          approvalId,
          reasons: texts('Every rule that asks for approval'),
          needed: count('How many people must approve'),
          expiresAt: moment('When the call is denied if nobody decides'),
        }),
    },
    'approval.granted': {
      meaning: 'Somebody approved the call; `missing` is how many more people must',
      data: () =>
        z.object({
          approvalId,
          by,
          missing: count('How many more people must approve; 0 starts the call'),
          reason: reason.optional(),
          isEdited: z.literal(true).optional().meta({ description: 'The input was changed' }),
          input: jsonValue.optional().meta({ description: 'The changed input, if it is small' }),
          inputBytes: count('The size of the changed input, if it is large').optional(),
        }),
    },
    'approval.rejected': {
      meaning: 'Somebody rejected the call, with the reason',
      data: () => z.object({ approvalId, by, reason: reason.optional() }),
    },
    'approval.reopened': {
      meaning: 'The call would do something else now, so it waits for approval again',
      data: () =>
        z.object({
          approvalId,
          revision: count('Decisions on earlier revisions do not count'),
          reason: z.enum(['preview_changed']).meta({ description: 'Why' }),
          expiresAt: moment('When the call is denied if nobody decides'),
        }),
    },
    'approval.expired': {
      meaning: 'Nobody decided in time',
      data: () =>
        z.object({ approvalId: z.string().nullable().meta({ description: 'The approval' }) }),
    },
    'approval.remembered': {
      meaning: 'An approval applies to similar calls from now on: which, and until when',
      data: () =>
        z.object({
          ruleId: text('The rule that was made'),
          approvalId,
          by,
          expiresAt: moment('When the rule ends'),
          match: text('How later inputs are compared'),
        }),
    },
    'approval.rule_revoked': {
      meaning: 'An approval of similar calls was revoked',
      data: () => z.object({ ruleId: text('The rule that ended'), tool, approvalId }),
    },
    'approval.notice_failed': {
      meaning: 'The webhook for approvals could not be delivered',
      data: () =>
        z.object({
          approvalId,
          callId: text('The call that waits'),
          tries: count('How often it was tried'),
          host: text('Where it was sent'),
          reason,
        }),
    },
  },
)
