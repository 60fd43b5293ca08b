import { z } from 'zod'
import { errorCodeNames } from './fields.ts'

// Fields that the payloads of many event types share.

/** A text with what it means. */
export function text(description: string) {
  return z.string().meta({ description })
}

/** A whole number with what it counts. */
export function count(description: string) {
  return z.int().meta({ description })
}

/** A number with what it measures. */
export function amount(description: string) {
  return z.number().meta({ description })
}

/** A moment with what happens then. */
export function moment(description: string) {
  return z.string().meta({ format: 'date-time', description })
}

/** Texts with what they are. */
export function texts(description: string) {
  return z.array(z.string()).meta({ description })
}

export const tool = text('The name of the tool')
export const agent = text('The slug of the agent')
export const reason = text('Why')
export const cost = z.number().meta({ description: 'Its cost so far, in units' })

/** A code of the list in `errors.md`. */
export const errorCode = z.enum(errorCodeNames).meta({ description: 'An error code' })

/** Why something failed. */
export const shortError = z
  .object({ code: errorCode, message: text('For people') })
  .meta({ description: 'What went wrong' })

const tokens = {
  modelCalls: count('Requests to models'),
  cutOffCalls: count('Requests that were cut off, counted in part').optional(),
  inputTokens: count('Tokens read'),
  outputTokens: count('Tokens written'),
  cachedTokens: count('Input tokens that came from a cache'),
}

/** Usage of models. */
export const modelUsage = z
  .object({
    ...tokens,
    sentOut: z
      .object({ ...tokens, cost: z.number().meta({ description: 'In units' }) })
      .optional()
      .meta({ description: 'Usage of the agents that it started; they record their own cost' }),
  })
  .meta({ description: 'What models used' })
