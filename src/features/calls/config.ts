import { z } from 'zod'

export const retentionSchema = z
  .strictObject({
    days: z
      .number()
      .min(1)
      .max(36_500)
      .optional()
      .describe(
        'Calls that ended, and events, are removed after so many days; kept for ever unless set',
      ),
  })
  .prefault({})
  .describe('How long records are kept')
