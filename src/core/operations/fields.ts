import { z } from 'zod'
import { errorCodes, type ErrorCode } from '../kernel/errors.ts'
import { isPrintable, maxShortChars } from '../kernel/text/short-text.ts'
import type { JsonValue } from '../kernel/json.ts'

/** A short text: a name, an id, a cursor. */
export function shortText(description: string) {
  return z
    .string()
    .min(1)
    .max(maxShortChars)
    .refine(isPrintable, 'contains control characters')
    .meta({ description })
}

/** The number of items per page; a larger number than the maximum is not an error. */
export function pageLimit(normal: number, most: number) {
  return z.coerce
    .number<number>('must be a whole number from 1')
    .int('must be a whole number from 1')
    .min(1, 'must be a whole number from 1')
    .default(normal)
    .meta({ type: 'integer', description: `Items per page (default ${normal}, at most ${most})` })
    .transform((limit) => Math.min(limit, most))
}

/** The query of a paged list. `prefix` is that of the ids used as cursors. */
export function pageQuery(normal: number, most: number, prefix?: string) {
  const after = shortText('The `next` of the previous page').optional()
  return z.strictObject({
    after: prefix === undefined ? after : after.refine(isCursorOf(prefix), notACursor),
    limit: pageLimit(normal, most),
  })
}

const notACursor = 'is not a page cursor: pass the `next` of the previous page, or leave it out'

function isCursorOf(prefix: string): (after: string | undefined) => boolean {
  const pattern = new RegExp(`^${prefix}_[0-9a-f]{32}$`)
  return (after) => after === undefined || pattern.test(after)
}

/** A switch in a query: `?force` and `?force=true` turn it on. The library passes a boolean. */
export function queryFlag(description: string) {
  return z
    .preprocess(
      (given) => (typeof given === 'boolean' ? String(given) : given === '' ? 'true' : given),
      z.enum(['true', 'false']).transform((text) => text === 'true'),
    )
    .optional()
    .meta({ description }) as unknown as z.ZodOptional<z.ZodType<boolean, boolean>>
}

/** A page of a list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    next: z.string().optional().meta({ description: 'Pass as `after` for the next page' }),
  })
}

/** Warnings in the response to a write of patterns. */
export const patternWarnings = z
  .array(z.string())
  .optional()
  .meta({ description: 'Patterns that currently match no tool; in the response to a write' })

/** Any JSON. */
export const jsonValue = z
  .unknown()
  .meta({ id: 'Json', description: 'Any JSON value.' }) as z.ZodType<JsonValue>

/** A timestamp in the API's format. */
export const time = z.string().meta({ format: 'date-time' })

/** The principal responsible for something. */
export const principal = z
  .object({ kind: z.enum(['user', 'key', 'agent', 'worker', 'embed', 'system']), id: z.string() })
  .meta({ id: 'Principal' })

export const errorCodeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]

export const issue = z
  .object({
    path: z.string().meta({ description: 'JSON pointer into the input', example: '/invoiceId' }),
    message: z.string(),
  })
  .meta({ id: 'Issue' })

/** The error of a call. */
export const callError = z
  .object({
    code: z.enum(errorCodeNames),
    message: z.string(),
    retryable: z.boolean(),
    issues: z.array(issue).readonly().optional(),
    fix: z.string().optional().meta({ description: 'How the caller can fix it' }),
    retryAfterMs: z.number().optional().meta({ description: 'When the limit has capacity again' }),
    refusalId: z.string().optional().meta({
      description:
        'For `tool_not_found`: GET /api/v1/explain/{id} shows the reason to callers with policy.read',
    }),
  })
  .meta({ id: 'CallError' })
