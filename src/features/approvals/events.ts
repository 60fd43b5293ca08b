import { defineEvents } from '../../core/events/define-events.ts'

export const approvalEvents = defineEvents(
  {
    noun: 'Approval',
    group: 'approvals',
    stale: ['approvals', 'approval-rules', 'calls', 'call', 'conversations'],
    inCall: true,
  },
  {
    'approval.requested': { meaning: 'A person is asked about the call: why, and until when' },
    'approval.granted': { meaning: 'Somebody said yes; `missing` is how many more have to' },
    'approval.rejected': { meaning: 'Somebody said no, with the reason' },
    'approval.expired': { meaning: 'Nobody decided in time' },
    'approval.remembered': {
      meaning: 'A yes holds for like calls from now on: which, and until when',
    },
    'approval.rule_revoked': { meaning: 'A yes that held for like calls holds no longer' },
    'approval.notice_failed': { meaning: 'The system outside could not be told that a call waits' },
  },
)
