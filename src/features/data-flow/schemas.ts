import { z } from 'zod'
import { labelFields, labelSchema } from '../../core/flow/label-schema.ts'
import type { SessionFlag } from '../../core/flow/session-flags.ts'
import { dataKinds } from '../../core/kernel/tool-labels.ts'
import { patternWarnings, time } from '../../core/operations/fields.ts'

/** A label for the tools that a pattern matches. */
export const labelRequest = labelSchema.meta({ id: 'LabelRequest' })

/** A label with its pattern and who set it. */
export const label = z
  .object({
    pattern: z.string(),
    ...labelFields,
    isDeclared: z
      .boolean()
      .meta({ description: 'It is in the configuration and applies to every tenant' }),
    setBy: z.string(),
    warnings: patternWarnings,
  })
  .meta({ id: 'Label' })
export type Label = z.output<typeof label>

/** A kind of data that a session has read. */
export const sessionFlag: z.ZodType<SessionFlag> = z
  .object({ kind: z.enum(dataKinds), callId: z.string(), tool: z.string(), raisedAt: time })
  .meta({
    id: 'SessionFlag',
    description: 'A kind of data that a session has read, and the first call that read it.',
  })
