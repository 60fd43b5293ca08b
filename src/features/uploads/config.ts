import { z } from 'zod'

export const uploadsSchema = z
  .strictObject({
    maxBytes: z
      .int()
      .min(1024)
      .max(1_073_741_824)
      .default(52_428_800)
      .describe('The largest file that is taken'),
    keepHours: z
      .number()
      .min(0.01)
      .max(87_600)
      .default(24)
      .describe('How long a file is kept that no call uses; a used one stays as long as its call'),
    tenantBytes: z
      .int()
      .min(1024)
      .max(1_099_511_627_776)
      .default(5_368_709_120)
      .describe('How much one tenant may have kept in all'),
  })
  .prefault({})
  .describe('Files that are handed in for tools')

/** How much may be uploaded. */
export type UploadBounds = Readonly<z.output<typeof uploadsSchema>>
