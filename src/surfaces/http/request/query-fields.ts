import { z } from '@hono/zod-openapi'
import { isPrintable, maxShortChars } from '../../../core/short-text.ts'

export { isShortText } from '../../../core/short-text.ts'

/** A short text in a query or a body: a name, an id, a cursor. */
export function shortText(description: string) {
  return z
    .string()
    .min(1)
    .max(maxShortChars)
    .refine(isPrintable, 'has control characters')
    .openapi({ description })
}

/** Words that are looked for. A search form sends an empty text when nothing was typed. */
export function searchedWords(description: string) {
  return shortText(description).or(z.literal('')).describe(description).optional()
}

/** How many items a page holds; asking for more than the most is not a mistake. */
export function pageLimit(normal: number, most: number) {
  return z.coerce
    .number('must be a whole number from 1')
    .int('must be a whole number from 1')
    .min(1, 'must be a whole number from 1')
    .default(normal)
    .openapi({ type: 'integer', description: `Items in a page (${normal}); at most ${most}` })
    .transform((limit) => Math.min(limit, most))
}

/** A whole number from 0. */
export function count(description: string) {
  return z.coerce
    .number('must be a whole number from 0')
    .int('must be a whole number from 0')
    .min(0, 'must be a whole number from 0')
    .openapi({ type: 'integer', description })
}

/** A moment in a query, as milliseconds. */
export function moment(description: string) {
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a day like 2026-03-01 or a time like 2026-03-01T12:00:00Z',
    })
    .openapi({ type: 'string', format: 'date-time', description })
    .transform((text) => Date.parse(text))
}

/** Several values, separated by commas or given several times. */
export function listOf<const T extends readonly [string, ...string[]]>(
  values: T,
  description: string,
) {
  return z
    .union([z.string(), z.array(z.string())])
    .openapi({ type: 'string', description })
    .transform((given) => [given].flat().flatMap((part) => part.split(',')))
    .pipe(z.array(z.enum(values)))
}
