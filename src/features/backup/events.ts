import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count } from '../../core/operations/payload-fields.ts'

export const backupEvents = defineEvents(
  { noun: 'Backup', group: 'audit', stale: [] },
  {
    'backup.created': {
      meaning:
        'Somebody made a backup: the size of the database (0 without it), and how long other queries waited',
      data: () =>
        z.object({
          bytes: count('The size of the database'),
          stalledMs: z.number().meta({ description: 'How long no other query ran' }),
          workspaces: z
            .boolean()
            .optional()
            .meta({ description: 'The files of workspaces are included' }),
        }),
    },
  },
)
