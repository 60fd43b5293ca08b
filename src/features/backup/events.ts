import { defineEvents } from '../../core/events/define-events.ts'

export const backupEvents = defineEvents(
  { noun: 'Backup', group: 'audit', stale: [] },
  {
    'backup.created': {
      meaning: 'Somebody took a backup of all records: its size, and how long others had to wait',
    },
  },
)
