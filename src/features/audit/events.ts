import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { text } from '../../core/operations/payload-fields.ts'
import { jsonValue } from '../../core/operations/fields.ts'

export const auditEvents = defineEvents(
  { noun: 'Audit log', group: 'audit', stale: [] },
  {
    'audit.exported': {
      meaning: 'Somebody exported the audit log',
      data: () =>
        z.object({
          format: z.enum(['jsonl', 'csv']).meta({ description: 'How it was written' }),
          after: text('The event after which it starts').optional(),
          filter: z
            .record(z.string(), jsonValue)
            .meta({ description: 'The filters that were applied' }),
        }),
    },
  },
)
