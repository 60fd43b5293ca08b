import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { text, tool } from '../../core/operations/payload-fields.ts'
import { limitMeasures } from '../../core/limits/limit.ts'

export const limitEvents = defineEvents(
  { noun: 'Limit', group: 'policy', stale: ['limits', 'usage'], inCall: true },
  {
    'limit.reached': {
      meaning: 'A limit or budget was used up; recorded once in its period',
      data: () =>
        z.object({
          limit: text('Its name'),
          subject: text('The subject whose use it counts, as `kind:name`'),
          measure: z.enum(limitMeasures).meta({ description: 'What it counts' }),
          most: z.number().meta({ description: 'How much it allows' }),
          setBy: text('Who set it'),
          tool: tool.optional(),
        }),
    },
  },
)
