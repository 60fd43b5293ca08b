import { defineEvents } from '../../core/events/define-events.ts'

export const policyEvents = defineEvents(
  { noun: 'Policy', group: 'policy', stale: ['policies', 'tools', 'tool', 'explain', 'agents'] },
  {
    'policy.changed': { meaning: 'A policy was changed' },
  },
)
