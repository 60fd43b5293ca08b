import type { JsonValue } from '../../api/json.ts'
import { toSafeAddress } from './safe-text.ts'
import type { ViewColumn, Writing } from './view-types.ts'

/** How many values are looked at: the rest of a long table will be like its beginning. */
const looked = 200

const isoDay = /^\d{4}-\d\d-\d\d$/
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/** Guesses how values of this key are formatted, by the name and by the values. */
export function guessWriting(key: string, values: readonly (JsonValue | undefined)[]): Writing {
  const known = values.filter((value) => value !== null && value !== undefined).slice(0, looked)
  if (known.length === 0) return {}
  if (known.every((value) => typeof value === 'number')) return guessNumber(key, known)
  if (known.every((value) => typeof value === 'string')) return guessText(known)
  return {}
}

function guessNumber(key: string, values: readonly number[]): Writing {
  if (/(?:^y|Y|_y)ear$/.test(key) && values.every(isYear)) return { format: 'year' }
  if (isName(key) && values.every(Number.isInteger)) return { format: 'text' }
  if (/(?:percent|Percent|_pct)$/.test(key)) return { format: 'percent' }
  if (/(?:durationMs|[a-z]Ms|_ms)$/.test(key)) return { format: 'duration' }
  if (/(?:^bytes|Bytes|_bytes)$/.test(key)) return { format: 'bytes' }
  return {}
}

/** Names with these endings identify a thing and measure nothing: 1055 must not become 1,055. */
const names = new Set(
  'id ids code zip postcode pin phone port sku isbn ean gtin serial version build pid uid'.split(
    ' ',
  ),
)
/** These do so behind another word only: `orderNumber`, `invoice_no`. */
const namesBehind = new Set(['number', 'no', 'nr', 'num'])

/** Whether numbers of this key are names of things, such as ids. */
function isName(key: string): boolean {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  return names.has(last) || (words.length > 1 && namesBehind.has(last))
}

function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1000 && value <= 2999
}

function guessText(values: readonly string[]): Writing {
  if (values.every((value) => isoTime.test(value))) return { format: 'datetime' }
  if (values.every((value) => isoDay.test(value))) return { format: 'date' }
  if (values.every((value) => toSafeAddress(value) !== undefined)) return { format: 'link' }
  return {}
}

/** The declared format of a column, and a guess for the rest. */
export function toWriting(column: ViewColumn, values: readonly (JsonValue | undefined)[]): Writing {
  if (column.format !== undefined || column.unit !== undefined) return column
  return { ...guessWriting(column.key, values), ...column }
}
