import { defineEvents } from '../../core/events/define-events.ts'

export const sessionEvents = defineEvents(
  { noun: 'Session', group: 'policy', stale: [], inCall: true },
  {
    'session.flagged': {
      meaning: 'A session has seen untrusted or private data for the first time',
    },
    'session.cleared': { meaning: 'A person took the flags off a session: which it had' },
  },
)
