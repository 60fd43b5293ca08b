import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, modelUsage, shortError, text } from '../../core/operations/payload-fields.ts'
import { runtimes } from '../../core/kernel/runtime.ts'

const turnId = text('The turn')
const parentCallId = text('The call that started it').optional()
const cost = z.number().meta({ description: 'Cost of models since it was last recorded, in units' })

const ended = {
  turnId,
  steps: count('The number of model calls'),
  model: text('The model it used').optional(),
  usage: modelUsage,
  cost: cost.optional(),
  parentCallId,
}

const failure = () => z.object({ ...ended, error: shortError })

export const conversationEvents = {
  ...defineEvents(
    { noun: 'Turn', group: 'agents', stale: ['conversations', 'runs'] },
    {
      'turn.started': {
        meaning: 'An agent received a message or a task',
        data: () =>
          z.object({
            turnId,
            runtime: z.enum(runtimes).meta({ description: 'Why the agent runs' }),
            kind: text('The kind of conversation'),
            parentCallId,
          }),
      },
      'turn.waiting': {
        meaning: 'The agent waits for calls that it made; the cost of its model calls so far',
        data: () => z.object({ turnId, cost }),
      },
      'turn.completed': {
        meaning: 'The agent answered; the usage of its model calls',
        data: () => z.object(ended),
      },
      'turn.failed': { meaning: 'The agent could not answer, and why', data: failure },
      'turn.cancelled': { meaning: 'Somebody stopped the agent', data: failure },
    },
  ),
  ...defineEvents(
    { noun: 'Conversation', group: 'agents', stale: ['conversations'] },
    {
      'conversation.deleted': {
        meaning: 'A conversation was deleted with everything in it',
        data: () =>
          z.object({
            conversationId: text('The conversation'),
            messages: count('How many messages it had'),
          }),
      },
    },
  ),
}
