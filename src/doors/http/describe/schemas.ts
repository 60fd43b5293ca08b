import { z } from 'zod'
import { callError, errorCodeNames, issue } from '../../../core/operations/fields.ts'
import type { Problem } from '../problem.ts'

// The annotations tie each schema to the type the door answers with: a field that is renamed in one
// place alone does not compile.

export const problem: z.ZodType<Problem> = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(errorCodeNames),
    retryable: z.boolean(),
    requestId: z.string(),
    instance: z.string().optional(),
    callId: z.string().optional(),
    issues: z.array(issue).optional(),
    fix: z.string().optional(),
    retryAfterMs: z.number().optional().meta({ description: 'As `Retry-After`, in milliseconds' }),
    refusalId: callError.shape.refusalId,
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details, with our code and fix.' })
