import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count } from '../../core/operations/payload-fields.ts'

export const backupEvents = defineEvents(
  { noun: 'Backup', group: 'audit', stale: [] },
  {
    'backup.created': {
      meaning:
        'Somebody made a backup of all records: its size, and how long it blocked other queries',
      data: () =>
        z.object({
          bytes: count('The size of the database'),
          stalledMs: z.number().meta({ description: 'How long no other query ran' }),
        }),
    },
  },
)
