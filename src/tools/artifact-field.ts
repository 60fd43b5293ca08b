import { z } from 'zod'

/** A file kept with the call, for people and programs; null if there is none. */
export const artifactField = z
  .object({ id: z.string(), bytes: z.int(), mediaType: z.string() })
  .nullable()
  .describe('Kept beside the output: download it by its id')
