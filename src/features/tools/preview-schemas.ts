import { z } from 'zod'
import type { CallPreview } from '../../core/kernel/trial/tool-preview.ts'
import { jsonValue } from '../../core/operations/fields.ts'

const change = z
  .object({
    target: z.string().meta({ description: 'What would change' }),
    before: jsonValue.optional(),
    after: jsonValue.optional(),
    diff: z.string().optional().meta({ description: 'A unified diff, for text' }),
  })
  .meta({ id: 'PreviewChange' })

/** The fields of a preview, without secrets and cut to size. */
export const previewFields = {
  summary: z.string(),
  changes: z.array(change).readonly(),
  count: z
    .int()
    .optional()
    .meta({ description: 'How many changes there would be, where not all are listed' }),
  warnings: z.array(z.string()).readonly().optional(),
  digest: z
    .string()
    .meta({ description: 'Of all changes, in any order: the same for the same changes' }),
}

/** The answer to a request for a preview. */
export const callPreview: z.ZodType<CallPreview> = z
  .object({ callId: z.string().meta({ description: 'The call that made it' }), ...previewFields })
  .meta({ id: 'CallPreview' })
