import { z } from 'zod'
import { labelSchema } from '../../core/flow/label-schema.ts'

export const labelsSchema = z
  .record(z.string().max(200), labelSchema)
  .default({})
  .describe(
    'Labels of tools, by pattern: the data they read and affect. The data-flow rule uses them',
  )
