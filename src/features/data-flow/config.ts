import { z } from 'zod'
import { labelSchema } from '../../core/flow/label-schema.ts'

export const labelsSchema = z
  .record(z.string().max(200), labelSchema)
  .default({})
  .describe('What tools read and affect, by pattern: the data-flow rule asks by it')
