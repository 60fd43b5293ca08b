import { z } from 'toolcrib'
import type { Note } from './notes-file.ts'

/** A note as the notes tools answer with it. */
export const noteSchema = z.object({
  id: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  createdAt: z.string().describe('ISO 8601, UTC'),
})

/** Without the tenant: whoever sees a note is in it. */
export function toAnswer({ id, text, tags, createdAt }: Note): z.infer<typeof noteSchema> {
  return { id, text, tags, createdAt }
}
