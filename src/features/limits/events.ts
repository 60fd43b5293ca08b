import { defineEvents } from '../../core/events/define-events.ts'

export const limitEvents = defineEvents(
  { noun: 'Limit', group: 'policy', stale: ['limits', 'usage'], inCall: true },
  {
    'limit.reached': { meaning: 'A limit or budget was used up; told once in its period' },
  },
)
