import { defineEvents } from '../../core/events/define-events.ts'

export const conversationEvents = {
  ...defineEvents(
    { noun: 'Turn', group: 'agents', stale: ['conversations', 'runs'] },
    {
      'turn.started': { meaning: 'An agent was asked something, or set a task' },
      'turn.waiting': {
        meaning: 'The agent waits for calls that it has made; what its model calls cost until now',
      },
      'turn.completed': { meaning: 'The agent has answered; what its model calls used' },
      'turn.failed': { meaning: 'The agent could not answer, and why' },
      'turn.cancelled': { meaning: 'Somebody stopped the agent' },
    },
  ),
  ...defineEvents(
    { noun: 'Conversation', group: 'agents', stale: ['conversations'] },
    {
      'conversation.deleted': { meaning: 'A conversation was deleted with everything in it' },
    },
  ),
}
