import { z } from 'zod'
import { callStatuses } from '../../core/call-state.ts'
import type { CallRecord, CallResult } from '../../core/kernel/call.ts'
import { effects } from '../../core/kernel/tool.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import {
  callError,
  jsonValue,
  pageLimit,
  principal,
  shortText,
  time,
} from '../../core/operations/fields.ts'
import { count, moment } from '../../core/operations/query-fields.ts'

const artifactReference = z.object({ id: z.string(), bytes: z.int(), mediaType: z.string() }).meta({
  id: 'ArtifactReference',
  description: 'The full output of a call whose result was truncated. Read it in pages.',
})

const resultFields = {
  status: z.enum(callStatuses),
  output: jsonValue.optional(),
  error: callError.optional(),
  artifact: artifactReference.optional(),
  warnings: z.array(z.string()).optional(),
  waitingFor: z.enum(['approval', 'external', 'call']).optional().meta({
    description: 'For a waiting call, the reason: a person, an external worker, or a nested call',
  }),
  approvalId: z
    .string()
    .optional()
    .meta({ description: 'For a call that needs approval: the approval to decide' }),
}

/** The shape of a call's result. */
export const callResult: z.ZodType<CallResult> = z
  .object({ callId: z.string(), ...resultFields })
  .meta({ id: 'CallResult', description: "The shape of every call's result." })

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
    skill: z.string().optional().meta({ description: 'The skill that was active' }),
    principal,
    runtime: z.enum(runtimes),
    sessionId: z.string().optional(),
    parentId: z.string().optional(),
    purpose: z.enum(['preview', 'test']).optional().meta({
      description: 'Why the call has no effect: it shows what another would do, or tests the tool',
    }),
    undoes: z.string().optional().meta({ description: 'The call that this one undoes' }),
    rerunOf: z.string().optional().meta({ description: 'The call that this one runs again' }),
    rerunFrom: z.string().optional().meta({
      description: 'The step from which; results of the other call were kept for those before it',
    }),
    stepKey: z.string().optional().describe('Which step of its parent it is'),
    attempt: z.int(),
    cost: z.number().optional().meta({ description: 'Its final cost, in units' }),
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

export const callQuery = z.strictObject({
  tool: shortText('Calls of this tool').optional(),
  status: z.enum(callStatuses).optional(),
  agent: shortText('Calls by this agent').optional(),
  principal: shortText('Calls for which this principal is responsible').optional(),
  session: shortText('Calls of this session').optional(),
  sessionId: shortText('The same as `session`').optional(),
  parent: shortText('Direct nested calls of this call').optional(),
  under: shortText('All nested calls of this call, at any depth').optional(),
  idempotencyKey: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Calls with this `Idempotency-Key`' }),
  from: moment('Requested from this time on: a day, or a time with its zone').optional(),
  to: moment('Requested before this time').optional(),
  brief: z.enum(['true', 'false']).optional().meta({ description: 'Without inputs and outputs' }),
  after: shortText('The `next` of the previous page').optional(),
  limit: pageLimit(50, 500),
})

export const waitQuery = z.strictObject({
  wait: z.coerce
    .number<number>('must be a number of seconds from 0')
    .min(0, 'must be a number of seconds from 0')
    .optional()
    .meta({
      type: 'number',
      description: 'Seconds to wait for the call to settle; at most 60',
    }),
})

export const rerunRequest = z
  .strictObject({
    from: shortText(
      'For a composition: the step to start from. Steps that do not follow it keep the results that they have',
    ).optional(),
    input: jsonValue.optional().meta({ description: 'Replaces the old input' }),
  })
  .meta({ id: 'RerunRequest' })

export const stepStates = [
  'pending',
  'running',
  'waiting',
  'asking',
  'completed',
  'failed',
  'cancelled',
  'skipped',
  'unreached',
] as const

export const callStep = z
  .object({
    id: z.string(),
    tool: z
      .string()
      .optional()
      .meta({ description: 'Absent if it was not called yet and is hidden from the caller' }),
    effect: z.enum(effects).optional(),
    waitsFor: z.array(z.string()).meta({ description: 'The steps that must have ended first' }),
    isList: z.boolean().meta({ description: 'It runs for every item of a list' }),
    isConditional: z
      .boolean()
      .meta({ description: 'It is skipped if its condition does not hold' }),
    state: z.enum(stepStates).meta({
      description:
        '`asking`: for a person; `skipped`: its condition did not hold; `unreached`: the call ended before it',
    }),
    done: z.int().meta({ description: 'How many of its calls have ended' }),
    failed: z.int().meta({ description: 'How many of them did not complete' }),
    total: z.int().optional().meta({ description: 'The number of items of its list' }),
    callId: z
      .string()
      .optional()
      .meta({ description: 'Its call; of several, one that waits or has failed, else the first' }),
    requestedAt: time.optional(),
    settledAt: time.optional().meta({ description: 'Absent while one of its calls is open' }),
    isKept: z
      .boolean()
      .meta({ description: 'Its result is that of the call that this one runs again' }),
    runsAgain: z
      .boolean()
      .optional()
      .meta({ description: 'With `from`: whether it would run again' }),
  })
  .meta({ id: 'CallStep' })

export type CallStep = z.infer<typeof callStep>

export const stepsQuery = z.strictObject({
  from: shortText('Which steps run again from this one: sets `runsAgain`').optional(),
})

/** The maximum part of an artifact in one HTTP response. */
export const maxPageBytes = 1_048_576

export const artifactText = z
  .object({
    id: z.string(),
    bytes: z.int().meta({ description: 'Size of the whole artifact' }),
    mediaType: z.string(),
    offset: z.int(),
    text: z.string(),
    next: z
      .int()
      .optional()
      .meta({ description: 'The offset of the next page; absent at the end' }),
  })
  .meta({ id: 'ArtifactText' })

export const artifactQuery = z.strictObject({
  offset: count('First byte (0)').optional(),
  limit: count(`Bytes in a page (65536); at most ${maxPageBytes}`).optional(),
  artifact: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'An artifact that the output refers to, such as a picture' }),
})
