import { z } from 'zod'

/** Tools that are made in the console and over the API. */
export const authoringSchema = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe('False: nobody can make tools as documents, and those that were made are hidden'),
    maxTools: z
      .int()
      .min(0)
      .max(10_000)
      .default(2_000)
      .describe('The maximum number of authored tools of a tenant; drafts have the same limit'),
  })
  .prefault({})
  .describe('Tools that are made as documents')

export type AuthoringConfig = z.output<typeof authoringSchema>
