import { z } from 'zod'

/** A file that a call keeps, as its output shows it. */
export const artifactSchema = z
  .object({ id: z.string(), bytes: z.int(), mediaType: z.string() })
  .nullable()
