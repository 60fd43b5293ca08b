import { defineEvents } from '../../core/events/define-events.ts'

export const uploadEvents = defineEvents(
  { noun: 'Upload', group: 'calls', stale: [] },
  {
    'upload.stored': { meaning: 'Somebody handed in a file: its name, type, size and digest' },
    'upload.deleted': {
      meaning: 'A file that was handed in was deleted, or nothing used it any more',
    },
  },
)
