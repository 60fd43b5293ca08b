import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { agent, text, texts } from '../../core/operations/payload-fields.ts'

const pattern = text('A tool, or a pattern of tools')
const kind = z.enum(['allow', 'deny']).meta({ description: 'Whether it grants or denies' })
const source = text('Its source: `manual`, or `skill:<name>`')

export const agentEvents = {
  ...defineEvents(
    { noun: 'Agent', group: 'agents', stale: ['agents', 'explain'] },
    {
      'agent.created': { meaning: 'An agent was created', data: () => z.object({ agent }) },
      'agent.changed': {
        meaning: 'An agent was changed',
        data: () =>
          z.object({
            agent,
            parts: texts(
              'The fields that were given; absent if configuration changed it',
            ).optional(),
          }),
      },
      'agent.deleted': {
        meaning: 'An agent was deleted with its grants',
        data: () => z.object({ agent }),
      },
    },
  ),
  ...defineEvents(
    { noun: 'Grant', group: 'policy', stale: ['agents', 'explain'] },
    {
      'grant.added': {
        meaning: 'An agent was granted or denied tools',
        data: () => z.object({ agent, pattern, kind, source }),
      },
      'grant.removed': {
        meaning: 'A grant of an agent ended',
        data: () =>
          z.object({
            agent,
            pattern,
            kind: kind.optional(),
            source: source.optional(),
            reason: text('Why, if nobody removed it').optional(),
          }),
      },
      'grant.renamed': {
        meaning: 'A tool was renamed, and grants that name it were updated',
        data: () => z.object({ agent, from: text('The former name'), to: text('The new name') }),
      },
    },
  ),
}
