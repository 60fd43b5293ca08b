import { z } from 'zod'

/** Characters that would end a name in a commit. */
const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^<>\n\0]+$/, { error: 'must not contain < or >' })
const email = z
  .string()
  .min(3)
  .max(200)
  .regex(/^[^<>\s\0]+@[^<>\s\0]+$/, { error: 'must be an address' })

/** The author of commits, unless a call names one. */
export const authorOptions = z.object({
  authorName: name.default('Toolcrib').describe('The author of commits'),
  authorEmail: email.default('toolcrib@localhost').describe('The mail address of the author'),
})

export const authorFields = {
  authorName: name.describe('The author; null for the one that the operator set').nullable(),
  authorEmail: email.describe('The mail address of the author').nullable(),
}

/** The environment in which git makes commits of this author. */
export function toAuthorEnv(author: z.infer<typeof authorOptions>): Record<string, string> {
  const fields = Object.entries({ NAME: author.authorName, EMAIL: author.authorEmail })
  return Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      fields.map(([field, value]) => [`GIT_${role}_${field}`, value]),
    ),
  )
}
