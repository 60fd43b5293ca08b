import { z } from 'zod'
import { shortText } from './fields.ts'

/** Search words. A search form sends an empty text when nothing was typed. */
export function searchedWords(description: string) {
  return shortText(description).or(z.literal('')).describe(description).optional()
}

/** A whole number from 0. */
export function count(description: string) {
  return z.coerce
    .number('must be a whole number from 0')
    .int('must be a whole number from 0')
    .min(0, 'must be a whole number from 0')
    .meta({ type: 'integer', description })
}

/** A time in a query, as milliseconds. */
export function moment(description: string) {
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a day like 2026-03-01 or a time like 2026-03-01T12:00:00Z',
    })
    .meta({ type: 'string', format: 'date-time', description })
    .transform((text) => Date.parse(text))
}

/** Several values, separated by commas or given repeatedly. */
export function listOf<const T extends readonly [string, ...string[]]>(
  values: T,
  description: string,
) {
  return z
    .union([z.string(), z.array(z.string()).readonly()])
    .meta({ type: 'string', description })
    .transform((given) => [given].flat().flatMap((part) => part.split(',')))
    .pipe(z.array(z.enum(values)))
}
