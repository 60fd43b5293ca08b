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
    .refine(isPrintable, 'has control characters')
    .meta({ description })
}

/** How many items a page holds; asking for more than the most is not a mistake. */
export function pageLimit(normal: number, most: number) {
  return z.coerce
    .number<number>('must be a whole number from 1')
    .int('must be a whole number from 1')
    .min(1, 'must be a whole number from 1')
    .default(normal)
    .meta({ type: 'integer', description: `Items in a page (${normal}); at most ${most}` })
    .transform((limit) => Math.min(limit, most))
}

/** The query of a list that is read page by page. `prefix` is that of the ids which serve as cursors. */
export function pageQuery(normal: number, most: number, prefix?: string) {
  const after = shortText('The `next` of the page before').optional()
  return z.strictObject({
    after: prefix === undefined ? after : after.refine(isCursorOf(prefix), notACursor),
    limit: pageLimit(normal, most),
  })
}

const notACursor =
  'is not the cursor of a page: pass the `next` of the page before, or leave it out'

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

/** In the answer to whoever has just written patterns. */
export const patternWarnings = z
  .array(z.string())
  .optional()
  .meta({ description: 'Patterns that match no tool at the moment; in the answer to a write' })

/** Any JSON. */
export const jsonValue = z
  .unknown()
  .meta({ id: 'Json', description: 'Any JSON value.' }) as z.ZodType<JsonValue>

/** A moment, as the API writes it. */
export const time = z.string().meta({ format: 'date-time' })

/** Who is responsible for something. */
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

/** What went wrong with a call. */
export const callError = z
  .object({
    code: z.enum(errorCodeNames),
    message: z.string(),
    retryable: z.boolean(),
    issues: z.array(issue).readonly().optional(),
    fix: z.string().optional().meta({ description: 'What the caller can do about it' }),
    retryAfterMs: z.number().optional().meta({ description: 'When a limit has room again' }),
    refusalId: z.string().optional().meta({
      description:
        'Of `tool_not_found`: GET /api/v1/explain/{id} says why, to those who may read policy',
    }),
  })
  .meta({ id: 'CallError' })
