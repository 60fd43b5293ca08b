import { z } from 'zod'
import { jsonValue } from './fields.ts'

// Tools that come from elsewhere, and the reviews of their changes.

/** Whether a tool of a source can be called. */
export const sourcedToolState = z.enum(['ready', 'quarantined', 'left out'])

/** How a definition differs from the accepted one. */
export const definitionDifferences = z
  .array(z.object({ path: z.string(), before: jsonValue.optional(), after: jsonValue.optional() }))
  .optional()
  .meta({
    description: 'The changes since it was accepted, or the whole definition if it never was',
  })

/** The most decisions of one request: a source may have that many tools. */
const mostDecisions = 5000

/** Why something was not done. */
export const reviewProblem = z.object({
  code: z.string(),
  message: z.string(),
  fix: z.string().optional(),
})

interface ReviewNames {
  /** Of what is reviewed, such as "operation". */
  one: string
  /** The name of one. */
  tool: z.ZodString
  /** The start of the names of the schemas. */
  id: string
}

/** The requests and answers of reviews, in the words of one kind of source. */
export function reviewFields({ one, tool, id }: ReviewNames) {
  const hash = z
    .string()
    .regex(/^[0-9a-f]{64}$/, `must be the hash of the reviewed ${one}`)
    .meta({ description: `The hash of the reviewed definition: 409 if the ${one} has changed` })
  const verdict = z.enum(['accept', 'reject'])
  return {
    decision: z.strictObject({ hash }).meta({ id: `${id}Decision` }),
    decisions: z
      .strictObject({
        decisions: z.array(z.strictObject({ tool, hash, verdict })).min(1).max(mostDecisions),
      })
      .meta({ id: `${id}Decisions` }),
    decided: z
      .object({
        tool: z.string(),
        state: sourcedToolState
          .optional()
          .meta({ description: `Its new state; absent for an unknown ${one}` }),
        problem: reviewProblem.optional().meta({ description: 'Why it was not changed' }),
      })
      .meta({ id: `${id}Decided` }),
  }
}
