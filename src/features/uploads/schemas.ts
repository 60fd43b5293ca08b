import { z } from 'zod'
import { principal } from '../../core/operations/fields.ts'

/** An uploaded file. */
export const upload = z
  .object({
    id: z.string(),
    uri: z.string().meta({ description: 'Its address in the input of a call' }),
    name: z.string(),
    mediaType: z.string(),
    bytes: z.int(),
    sha256: z.string().meta({ description: 'In hex' }),
    principal,
    createdAt: z.iso.datetime(),
    keptUntil: z.iso.datetime().meta({
      description: 'It goes after this, unless a call that is still kept has used it',
    }),
  })
  .meta({ id: 'Upload' })

/** A file to receive. Its content is read as it comes. */
export const uploadRequest = z.strictObject({
  name: z.string().optional(),
  mediaType: z.string(),
  bytes: z.number().optional(),
  content: z.custom<AsyncIterable<Uint8Array> | Uint8Array>(
    (value) => typeof value === 'object' && value !== null,
    'must be bytes',
  ),
})
