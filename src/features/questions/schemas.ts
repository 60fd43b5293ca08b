import { z } from 'zod'
import { formSpec } from '../../core/kernel/views/form-spec.ts'
import type { JsonSchema } from '../../core/kernel/json.ts'
import { jsonValue, pageLimit, principal, shortText, time } from '../../core/operations/fields.ts'
import { type Question, questionStatuses } from './model.ts'

const to = z.array(shortText('requester, role:<name> or user:<id or email>')).min(1).max(20)

export const question: z.ZodType<Question> = z
  .object({
    id: z.string(),
    callId: z.string().meta({ description: 'The call that the answer ends' }),
    title: z.string(),
    text: z.string().optional(),
    schema: z
      .custom<JsonSchema>()
      .meta({ type: 'object', description: 'The JSON Schema (2020-12) of an answer' }),
    form: formSpec.optional(),
    to: z.array(z.string()).readonly().meta({ description: 'Who may answer' }),
    askedBy: z.object({ principal, agent: z.string().optional() }),
    sessionId: z.string().optional(),
    status: z.enum(questionStatuses),
    createdAt: time,
    expiresAt: time,
    reminders: z.int().meta({ description: 'How often people were reminded' }),
    remindAt: time.optional(),
    mayAnswer: z.boolean().meta({ description: 'You may answer and decline it now' }),
    answer: jsonValue
      .optional()
      .meta({ description: 'With a placeholder for the value of each secret field' }),
    reason: z.string().optional().meta({ description: 'Why somebody declined' }),
    answeredBy: principal.optional().meta({ description: 'Who answered or declined' }),
    person: principal.optional().meta({ description: 'For a key: the person who owns it' }),
    endedAt: time.optional(),
  })
  .meta({ id: 'Question' })

const flag = z.enum(['true', 'false'])

export const questionQuery = z.strictObject({
  status: z.enum(questionStatuses).optional(),
  call: shortText('Only the question of this call').optional(),
  mine: flag.optional().meta({ description: 'Only questions that you may answer' }),
  order: z.enum(['newest', 'oldest']).optional().meta({
    description: 'The order (newest first). A `next` is valid only in the same order',
  }),
  after: shortText('The `next` of the previous page').optional(),
  limit: pageLimit(50, 200),
})

export const answerRequest = z
  .strictObject({
    input: jsonValue.meta({ description: 'The answer; matches the schema of the question' }),
  })
  .meta({ id: 'AnswerRequest' })

const maxReasonChars = 2000

export const declineRequest = z
  .strictObject({
    reason: z
      .string()
      .min(1)
      .max(maxReasonChars)
      .refine(isStorable, 'has characters that cannot be stored')
      .optional()
      .meta({ description: 'The caller and its model see it' }),
  })
  .meta({ id: 'DeclineRequest' })

export const reassignRequest = z.strictObject({ to }).meta({ id: 'ReassignRequest' })

/** The database takes neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
