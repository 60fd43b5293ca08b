import { z } from 'zod'

export const uploadsSchema = z
  .strictObject({
    maxBytes: z
      .int()
      .min(1024)
      .max(1_073_741_824)
      .default(52_428_800)
      .describe('The largest file accepted'),
    keepHours: z
      .number()
      .min(0.01)
      .max(87_600)
      .default(24)
      .describe(
        'How long a file is kept if no call uses it; a used file is kept as long as its call',
      ),
    tenantBytes: z
      .int()
      .min(1024)
      .max(1_099_511_627_776)
      .default(5_368_709_120)
      .describe('The total size of all files of a tenant'),
  })
  .prefault({})
  .describe('Files uploaded for tools')

/** How much may be uploaded. */
export type UploadBounds = Readonly<z.output<typeof uploadsSchema>>
