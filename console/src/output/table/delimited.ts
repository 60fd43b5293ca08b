import type { JsonValue } from '../../api/json.ts'
import { toJsonText } from '../json/json-text.ts'
import { own } from '../values/view-types.ts'
import type { TableModel } from './table-model.ts'

/**
 * Characters that start a formula in a spreadsheet, also in East Asian full width and after blanks. A
 * tool's output must not run anything on the reader's machine.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^\p{Cc}/u
const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The table as CSV (RFC 4180), in pieces so that a long one is never one text. Values, not formats. */
export function toCsv({ columns, rows }: TableModel): string[] {
  const header = line(
    columns.map(({ label }) => label),
    ',',
    quote,
  )
  return [
    '\uFEFF',
    header,
    ...rows.map((row) =>
      line(
        columns.map(({ key }) => own(row, key)),
        ',',
        quote,
      ),
    ),
  ]
}

/** The same for a clipboard: cells between tabs, one line a row. */
export function toTsv({ columns, rows }: TableModel): string {
  const lines = [
    line(
      columns.map(({ label }) => label),
      '\t',
      flat,
    ),
    ...rows.map((row) =>
      line(
        columns.map(({ key }) => own(row, key)),
        '\t',
        flat,
      ),
    ),
  ]
  return lines.join('')
}

function line(
  cells: readonly (JsonValue | undefined)[],
  between: string,
  write: (text: string) => string,
): string {
  return `${cells.map((cell) => write(toCell(cell))).join(between)}\r\n`
}

/** A number is a number and stays one; only text can be a formula. */
function toCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : toJsonText(value, 0)
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n\t]|^[\s']|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function flat(text: string): string {
  return text.replaceAll(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')
}
