import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, text } from '../../core/operations/payload-fields.ts'

const upload = text('The upload')

export const uploadEvents = defineEvents(
  { noun: 'Upload', group: 'calls', stale: [] },
  {
    'upload.stored': {
      meaning: 'Somebody uploaded a file',
      data: () =>
        z.object({
          upload,
          name: text('The name of the file'),
          mediaType: text('Its media type'),
          bytes: count('Its size'),
          sha256: text('Its SHA-256 digest'),
        }),
    },
    'upload.deleted': {
      meaning: 'An uploaded file was deleted, or removed because nothing used it',
      data: () =>
        z.object({
          upload,
          because: z.literal('unused').optional().meta({ description: 'Nothing used it' }),
        }),
    },
  },
)
