import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { agent, moment, text, texts } from '../../core/operations/payload-fields.ts'

const id = text('The key')

export const keyEvents = defineEvents(
  { noun: 'API key', group: 'keys', stale: ['keys'] },
  {
    'key.created': {
      meaning: 'An API key was created',
      data: () =>
        z.object({
          id,
          name: text('What it is called'),
          scopes: texts('What it may do'),
          agent: agent.optional(),
          expiresAt: moment('When it ends').optional(),
        }),
    },
    'key.revoked': {
      meaning: 'An API key was revoked',
      data: () => z.object({ id, member: text('The removed member it belonged to').optional() }),
    },
    'key.token_issued': {
      meaning: 'A site issued a short-lived token to a visitor with its key',
      data: () =>
        z.object({
          id,
          parent: text('The key of the site'),
          visitor: text('The visitor, as the site names them'),
          scopes: texts('What it may do'),
          agent: agent.optional(),
          expiresAt: moment('When the token ends'),
        }),
    },
    'key.rotated': {
      meaning: 'The secret of an API key was rotated',
      data: () =>
        z.object({
          id,
          oldSecretUntil: moment(
            'How long the old secret still works; absent: it stopped at once',
          ).optional(),
        }),
    },
  },
)
