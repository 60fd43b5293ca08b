import type { AuditEntry } from '../../core/audit/audit-filter.ts'

/** The columns of a CSV export; an interrupted export continues from the first. */
export const csvColumns = [
  'id',
  'at',
  'type',
  'tool',
  'agent',
  'principal',
  'principalName',
  'sessionId',
  'callId',
  'seq',
  'data',
] as const

/** The names of the columns, as a line. */
export function toCsvHeader(): string {
  return toCsvLine(csvColumns)
}

/** One event as one line. */
export function toCsvRow(entry: AuditEntry): string {
  const { principal } = entry
  return toCsvLine([
    entry.id,
    entry.at,
    entry.type,
    entry.tool ?? '',
    entry.agent ?? '',
    `${principal.kind}:${principal.id}`,
    entry.principalName ?? '',
    entry.sessionId ?? '',
    entry.callId ?? '',
    String(entry.seq),
    JSON.stringify(entry.data),
  ])
}

/** Every cell in quotes, one record per line, ended according to RFC 4180. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** A line break in a name would split its record for readers that read line by line. */
const lineBreaks = /[\r\n\v\f\u0085\u2028\u2029]+/g
/**
 * The start of a formula in spreadsheets, including East Asian wide forms and leading blanks. An
 * agent named `=HYPERLINK(…)` must not run anything on the auditor's machine.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^\p{Cc}/u

function toCell(text: string): string {
  const line = text.replaceAll(lineBreaks, ' ')
  const safe = formula.test(line) ? `'${line}` : line
  return `"${safe.replaceAll('"', '""')}"`
}
