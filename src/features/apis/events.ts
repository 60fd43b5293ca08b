import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, reason, text, texts } from '../../core/operations/payload-fields.ts'

const api = text('The name of the API')
const tool = text('The name of the operation')
const hash = text('The hash of its definition')

const facts = {
  url: text('The address of its document, without the query').optional(),
  server: text('The address of the API').optional(),
  secrets: texts('The names of the secrets it gets').optional(),
  enabled: z.boolean().meta({ description: 'Whether it is switched on' }),
}

const decided = () => z.object({ api, tool, hash })

export const apiEvents = defineEvents(
  { noun: 'API', group: 'tools', stale: ['apis', 'tools', 'tool'] },
  {
    'api.added': {
      meaning: 'An API was imported; never its credentials',
      data: () => z.object({ api, ...facts }),
    },
    'api.changed': {
      meaning: 'The settings of an API were changed',
      data: () => z.object({ api, fields: texts('The fields that were given'), ...facts }),
    },
    'api.removed': {
      meaning: 'An API was removed with its tools',
      data: () => z.object({ api }),
    },
    'api.listed': {
      meaning: 'The document of an API was read, and what has changed in it',
      data: () =>
        z.object({
          api,
          operations: count('How many operations it has'),
          added: count('How many are new'),
          changed: count('How many have changed'),
          removed: count('How many are gone'),
        }),
    },
    'api.tool_quarantined': {
      meaning: 'An operation of an API was quarantined, and why',
      data: () => z.object({ api, tool, reason }),
    },
    'api.tool_accepted': {
      meaning: 'Somebody accepted an operation of an API as it is',
      data: decided,
    },
    'api.tool_rejected': {
      meaning: 'Somebody rejected an operation of an API',
      data: decided,
    },
  },
)
