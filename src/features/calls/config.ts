import { z } from 'zod'

export const retentionSchema = z
  .strictObject({
    days: z
      .number()
      .min(1)
      .max(36_500)
      .optional()
      .describe(
        'Finished calls and events are deleted after this many days; kept forever if omitted',
      ),
  })
  .prefault({})
  .describe('How long records are kept')
