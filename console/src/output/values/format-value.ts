import type { JsonObject, JsonValue } from '../../api/json.ts'
import { formatDuration } from '../../ui/format/format-duration.ts'
import { toSafeText } from './safe-text.ts'
import { isScalar } from './view-types.ts'
import type { Writing } from './view-types.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { guessWriting } from './guess-column.ts'
import { count, toLabel } from './labels.ts'
import { locale } from '../../ui/format/locale.ts'

/** Nothing is there. */
export const nothing = '—'

/**
 * A single value as people read it. Numbers follow the format; values that do not fit it are shown
 * unformatted.
 */
export function formatValue(value: JsonValue | undefined, writing: Writing = {}): string {
  if (value === undefined || value === null) return nothing
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatNumber(value, writing)
  if (typeof value === 'string') return formatString(value, writing)
  if (Array.isArray(value)) return formatList(value, writing)
  return formatObject(value)
}

/** Nested values are shortened in place; the JSON has all of them. */
const mostItems = 20
const mostPairs = 4

function formatObject(value: JsonObject): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return nothing
  if (keys.length > mostPairs || !keys.every((key) => isScalar(value[key]))) {
    return count(keys.length, 'field')
  }
  return keys
    .map((key) => `${toLabel(key)}: ${formatValue(value[key], guessWriting(key, [value[key]]))}`)
    .join(', ')
}

function formatList(items: readonly JsonValue[], writing: Writing): string {
  if (items.length === 0) return nothing
  const shown = items.slice(0, mostItems).map((item) => {
    if (Array.isArray(item)) return count(item.length, 'value')
    return formatValue(item, writing)
  })
  const more = items.length - shown.length
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function formatNumber(value: number, writing: Writing): string {
  if (!Number.isFinite(value)) return String(value)
  const text = formatDigits(value, writing)
  return writing.unit === undefined ? text : `${text}\u00A0${toUnit(writing.unit, value)}`
}

type NumberFormat = (value: number, writing: Writing) => string

const asIs: NumberFormat = (value) => String(value)
const asTime: NumberFormat = (value, { format }) =>
  formatTime(value, format === 'date' ? 'date' : 'datetime') ?? String(value)

const numberFormats: Partial<Record<NonNullable<Writing['format']>, NumberFormat>> = {
  year: asIs,
  text: asIs,
  code: asIs,
  date: asTime,
  datetime: asTime,
  integer: (value) => digitsOf(0, 0).format(value),
  percent: (value, { digits }) => `${digitsOf(digits ?? 0, digits ?? 1).format(value)}\u00A0%`,
  fraction: (value, { digits }) =>
    `${digitsOf(digits ?? 0, digits ?? 1).format(value * 100)}\u00A0%`,
  currency: money,
  duration: (value) => (value < 0 ? `-${formatDuration(-value)}` : formatDuration(value)),
  bytes: (value) => formatBytes(value),
}

function formatDigits(value: number, writing: Writing): string {
  const { format, digits } = writing
  const toText =
    format !== undefined && Object.hasOwn(numberFormats, format) ? numberFormats[format] : undefined
  if (toText !== undefined) return toText(value, writing)
  return digits === undefined ? plain(value) : digitsOf(digits, digits).format(value)
}

function formatString(value: string, { format, unit }: Writing): string {
  const text =
    format === 'date' || format === 'datetime'
      ? (formatTime(value, format) ?? toSafeText(value))
      : toSafeText(value)
  return unit === undefined || value === '' ? text : `${text} ${unit}`
}

const instants = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
})
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const utcDays = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A time, where it is one: seconds or milliseconds since 1970, or ISO 8601. */
function formatTime(value: number | string, format: 'date' | 'datetime'): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : toMs(value)
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return undefined
  // A day has no time zone: 2026-03-01 is the first of March everywhere.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return utcDays.format(ms)
  return (format === 'date' ? days : instants).format(ms)
}

function toMs(value: number): number {
  return Math.abs(value) < 1e11 ? value * 1000 : value
}

function money(value: number, { currency, digits }: Writing): string {
  // Cents only where there are some.
  const most = digits ?? (Number.isInteger(value) || Math.abs(value) >= 100_000 ? 0 : 2)
  const options = { minimumFractionDigits: most, maximumFractionDigits: most }
  if (currency === undefined) return new Intl.NumberFormat(locale, options).format(value)
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, ...options }).format(value)
  } catch {
    return `${new Intl.NumberFormat(locale, options).format(value)} ${currency}`
  }
}

const formats = new Map<string, Intl.NumberFormat>()

function digitsOf(least: number, most: number): Intl.NumberFormat {
  const key = `${least}-${most}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(locale, {
    minimumFractionDigits: least,
    maximumFractionDigits: Math.max(least, most),
  })
  formats.set(key, made)
  return made
}

/** As precise as it is useful: very large and very small ones in powers of ten. */
function plain(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(3)
  return digitsOf(0, size >= 1000 ? 2 : 4).format(value)
}

/** `1 year`, `2.4 years`: a unit in words follows the number. */
function toUnit(unit: string, value: number): string {
  return value === 1 && /^[a-z]{3,}s$/.test(unit) ? unit.slice(0, -1) : unit
}

/** The beginning of a long text, whole characters only. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}…`
}
