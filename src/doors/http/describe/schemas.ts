import { runtimes } from '../../../core/kernel/runtime.ts'
import { z } from 'zod'
import {
  callError,
  errorCodeNames,
  issue,
  jsonValue,
  principal,
  time,
} from '../../../core/operations/fields.ts'
import { callStatuses } from '../../../core/call-state.ts'
import type { CallRecord, CallResult } from '../../../core/kernel/call.ts'
import { eventTypes } from '../../../features/event-types.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import type { Problem } from '../problem.ts'

// The annotations tie each schema to the type the door answers with: a field that is renamed in one
// place alone does not compile.

export const artifactReference = z
  .object({ id: z.string(), bytes: z.int(), mediaType: z.string() })
  .meta({
    id: 'ArtifactReference',
    description: 'The full output of a call whose answer was cut. Read it in pages.',
  })

const resultFields = {
  status: z.enum(callStatuses),
  output: jsonValue.optional(),
  error: callError.optional(),
  artifact: artifactReference.optional(),
  warnings: z.array(z.string()).optional(),
  waitingFor: z.enum(['approval', 'external', 'call']).optional().meta({
    description: 'Of a waiting call: for a person, a worker outside, or a call it made',
  }),
  approvalId: z
    .string()
    .optional()
    .meta({ description: 'Of a call that a person was asked about: what to decide on' }),
}

/** The one shape in which a call ends. */
export const callResult: z.ZodType<CallResult> = z
  .object({ callId: z.string(), ...resultFields })
  .meta({ id: 'CallResult', description: 'The one shape in which every call ends.' })

export const callRecord: z.ZodType<CallRecord> = z
  .object({
    callId: z.string(),
    ...resultFields,
    tenant: z.string(),
    tool: z.string(),
    toolVersion: z
      .string()
      .optional()
      .meta({ description: 'The version of the tool that ran it; absent in older calls' }),
    input: jsonValue,
    agent: z.string().optional(),
    skill: z.string().optional().meta({ description: 'The skill that was in force' }),
    principal,
    runtime: z.enum(runtimes),
    sessionId: z.string().optional(),
    parentId: z.string().optional(),
    attempt: z.int(),
    cost: z.number().optional().meta({ description: 'What it cost in the end, in units' }),
    decision: z
      .object({
        verdict: z.enum(['allow', 'ask', 'deny']),
        layer: z.string(),
        rule: z.string(),
        reasons: z.array(z.string()),
      })
      .optional(),
    requestedAt: time,
    startedAt: time.optional(),
    settledAt: time.optional(),
  })
  .meta({ id: 'CallRecord' })

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
