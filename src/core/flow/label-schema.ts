import { z } from 'zod'
import { dataKinds, outsideEffects } from '../kernel/tool-labels.ts'

/** The fields of a label. */
export const labelFields = {
  reads: z.array(z.enum(dataKinds)).max(dataKinds.length).optional().meta({
    description: 'untrusted: text that others can write; private: data that is not for others',
  }),
  effects: z
    .enum(outsideEffects)
    .optional()
    .meta({ description: 'The effect a call leaves behind, and where' }),
}

/** A label as written in configuration and by tenants. */
export const labelSchema = z
  .strictObject(labelFields)
  .refine(({ reads, effects }) => reads !== undefined || effects !== undefined, {
    error: 'must have reads or effects',
  })
