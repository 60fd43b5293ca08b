import { z } from 'zod'
import {
  callError,
  errorCodeNames,
  issue,
  jsonValue,
  principal,
  time,
} from '../../../core/operations/fields.ts'
import { eventTypes } from '../../../features/event-types.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import type { Problem } from '../problem.ts'

// The annotations tie each schema to the type the door answers with: a field that is renamed in one
// place alone does not compile.

export const cribEvent: z.ZodType<CribEvent> = z
  .object({
    id: z.string().meta({ description: 'Opaque cursor: read on after it' }),
    seq: z.int().meta({ description: 'Number within its call, from 1, without gaps' }),
    at: time,
    tenant: z.string(),
    callId: z.string().optional(),
    sessionId: z.string().optional(),
    agent: z.string().optional(),
    principal,
    type: z.enum(eventTypes),
    data: jsonValue,
  })
  .meta({ id: 'Event' })

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
  .meta({ id: 'Problem', description: 'RFC 9457 problem details, with our code and the way out.' })
