import { defineEvents } from '../../core/events/define-events.ts'

export const agentEvents = {
  ...defineEvents(
    { noun: 'Agent', group: 'agents', stale: ['agents', 'explain'] },
    {
      'agent.created': { meaning: 'An agent was made' },
      'agent.changed': { meaning: 'An agent was changed: which of its parts' },
      'agent.deleted': { meaning: 'An agent was deleted with its grants' },
    },
  ),
  ...defineEvents(
    { noun: 'Grant', group: 'policy', stale: ['agents', 'explain'] },
    {
      'grant.added': { meaning: 'An agent was granted or denied a pattern, by which source' },
      'grant.removed': { meaning: 'A source no longer holds a grant' },
      'grant.renamed': { meaning: 'A tool has another name; what named it follows' },
    },
  ),
}
