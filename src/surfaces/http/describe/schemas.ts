import { runtimes } from '../../../core/runtime.ts'
import { z } from '@hono/zod-openapi'
import { toolModes } from '../../../core/search/meta-tools.ts'
import type { CallRecord, CallResult } from '../../../core/call.ts'
import { errorCodes } from '../../../core/errors.ts'
import type { ErrorCode } from '../../../core/errors.ts'
import { eventTypes } from '../../../core/events/event.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import type { ApiKey, SecretSummary } from '../../../core/vault-ports.ts'
import type { JsonValue } from '../../../core/tool.ts'
import type { Problem } from '../problem.ts'

// The annotations tie each schema to the type the door answers with: a field that is renamed in one
// place alone does not compile.

export const toolSources = ['builtin', 'code', 'authored', 'gateway', 'agent'] as const
export const callStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'denied',
  'cancelled',
] as const

/** Pictures by their addresses. */
export const toolIcons = z
  .array(
    z.object({
      src: z.string(),
      mimeType: z.string().optional(),
      sizes: z.array(z.string()).optional(),
      theme: z.enum(['light', 'dark']).optional(),
    }),
  )
  .openapi({ description: 'Pictures that another server gives it, by their addresses' })

/** Any JSON. */
export const jsonValue = z
  .unknown()
  .openapi('Json', { description: 'Any JSON value.' }) as z.ZodType<JsonValue>

export const time = z.string().openapi({ format: 'date-time' })
const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]

export const issue = z
  .object({
    path: z.string().openapi({ description: 'JSON pointer into the input', example: '/invoiceId' }),
    message: z.string(),
  })
  .openapi('Issue')

const refusalId = z.string().optional().openapi({
  description:
    'Of `tool_not_found`: GET /api/v1/explain/{id} says why, to those who may read policy',
})

export const callError = z
  .object({
    code: z.enum(codes),
    message: z.string(),
    retryable: z.boolean(),
    issues: z.array(issue).optional(),
    fix: z.string().optional().openapi({ description: 'What the caller can do about it' }),
    retryAfterMs: z.number().optional().openapi({ description: 'When a limit has room again' }),
    refusalId,
  })
  .openapi('CallError')

export const artifactReference = z
  .object({ id: z.string(), bytes: z.int(), mediaType: z.string() })
  .openapi('ArtifactReference', {
    description: 'The full output of a call whose answer was cut. Read it in pages.',
  })

const resultFields = {
  status: z.enum(callStatuses),
  output: jsonValue.optional(),
  error: callError.optional(),
  artifact: artifactReference.optional(),
  warnings: z.array(z.string()).optional(),
  waitingFor: z.enum(['approval', 'external', 'call']).optional().openapi({
    description: 'Of a waiting call: for a person, a worker outside, or a call it made',
  }),
  approvalId: z
    .string()
    .optional()
    .openapi({ description: 'Of a call that a person was asked about: what to decide on' }),
}

export const principal = z
  .object({ kind: z.enum(['user', 'key', 'agent', 'worker', 'embed', 'system']), id: z.string() })
  .openapi('Principal')

/** The one shape in which a call ends. */
export const callResult: z.ZodType<CallResult> = z
  .object({ callId: z.string(), ...resultFields })
  .openapi('CallResult', { description: 'The one shape in which every call ends.' })

export const callRecord: z.ZodType<CallRecord> = z
  .object({
    callId: z.string(),
    ...resultFields,
    tenant: z.string(),
    tool: z.string(),
    input: jsonValue,
    agent: z.string().optional(),
    skill: z.string().optional().openapi({ description: 'The skill that was in force' }),
    principal,
    runtime: z.enum(runtimes),
    sessionId: z.string().optional(),
    parentId: z.string().optional(),
    attempt: z.int(),
    cost: z.number().optional().openapi({ description: 'What it cost in the end, in units' }),
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
  .openapi('CallRecord')

export const cribEvent: z.ZodType<CribEvent> = z
  .object({
    id: z.string().openapi({ description: 'Opaque cursor: read on after it' }),
    seq: z.int().openapi({ description: 'Number within its call, from 1, without gaps' }),
    at: time,
    tenant: z.string(),
    callId: z.string().optional(),
    sessionId: z.string().optional(),
    agent: z.string().optional(),
    principal,
    type: z.enum(eventTypes),
    data: jsonValue,
  })
  .openapi('Event')

export const secretSummary: z.ZodType<SecretSummary> = z
  .object({
    name: z.string(),
    agent: z.string().optional(),
    version: z.int(),
    updatedAt: time,
    isEmpty: z.literal(true).optional(),
    description: z.string().optional().openapi({ description: 'What it is for, for people' }),
    expiresAt: time.optional().openapi({
      description: 'When its value stops being good where it comes from; nothing here stops it',
    }),
  })
  .openapi('Secret', { description: 'A secret without its value: values are never handed out.' })

export const apiKey: z.ZodType<ApiKey> = z
  .object({
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    agent: z.string().optional(),
    createdAt: time,
    expiresAt: time.optional(),
    toolMode: z.enum(toolModes).optional(),
    owner: z.object({ tenant: z.string(), id: z.string() }).optional().openapi({
      description:
        'The member it belongs to; absent: the first owner. It does no more than they may',
    }),
    lastUsedAt: time.optional(),
    rotatedAt: time.optional(),
    oldSecretUntil: time.optional().openapi({
      format: 'date-time',
      description: 'How long the secret before the rotation works',
    }),
    revokedAt: time.optional(),
    parent: z
      .string()
      .optional()
      .openapi({ description: 'Of a visitor: the key that issues their tokens' }),
    visitor: z.string().optional().openapi({ description: 'The name of the visitor' }),
  })
  .openapi('ApiKey')

export const problem: z.ZodType<Problem> = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(codes),
    retryable: z.boolean(),
    requestId: z.string(),
    instance: z.string().optional(),
    callId: z.string().optional(),
    issues: z.array(issue).optional(),
    fix: z.string().optional(),
    retryAfterMs: z
      .number()
      .optional()
      .openapi({ description: 'As `Retry-After`, in milliseconds' }),
    refusalId,
  })
  .openapi('Problem', { description: 'RFC 9457 problem details, with our code and the way out.' })

/** A page of a list. */
export function pageOf(item: z.ZodType) {
  return z.object({
    items: z.array(item),
    next: z.string().optional().openapi({ description: 'Pass as `after` for the next page' }),
  })
}
