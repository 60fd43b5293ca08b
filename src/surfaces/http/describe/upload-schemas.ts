import { z } from '@hono/zod-openapi'
import { principal } from './schemas.ts'

/** A file that was handed in. */
export const upload = z
  .object({
    id: z.string(),
    uri: z.string().openapi({ description: 'What the input of a call names it by' }),
    name: z.string(),
    mediaType: z.string(),
    bytes: z.int(),
    sha256: z.string().openapi({ description: 'In hex' }),
    principal,
    createdAt: z.iso.datetime(),
    keptUntil: z.iso.datetime().openapi({
      description: 'It goes after this, unless a call that is still kept has used it',
    }),
  })
  .openapi('Upload')
