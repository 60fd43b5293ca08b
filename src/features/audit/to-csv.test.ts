import type { AuditEntry } from '../../core/audit/audit-filter.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvColumns, toCsvHeader, toCsvLine, toCsvRow } from './to-csv.ts'

/** Reads what RFC 4180 writes, as a spreadsheet would; nothing may be left over. */
function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)]
  expect(cells.map(([whole]) => whole).join('')).toBe(text)
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of cells) {
    rows.at(-1)?.push(cell.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(
      fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' =', '＝', '\uFEFF@', '"', "'", ''),
      fc.string(),
    )
    .map(([first, rest]) => first + rest),
)

test('any cells are read back, one record per line, and none is a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(nasty, { minLength: 2, maxLength: 5 }), { maxLength: 5 }),
      (rows) => {
        const text = rows.map(toCsvLine).join('')
        const lines = text.split(/[\r\n\v\f\u0085\u2028\u2029]+/).slice(0, -1)
        expect(lines).toHaveLength(rows.length)
        const parsed = parseCsv(text)
        expect(parsed.map((row) => row.length)).toEqual(rows.map((row) => row.length))
        for (const cell of parsed.flat()) {
          expect(cell.trim().replace(/^[\p{Cc}\p{Cf}\s]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/)
          expect(cell).not.toMatch(/^\p{Cc}/u)
        }
      },
    ),
  )
})

test('a text without anything odd comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z][\w ,"';|.{}:-]*$/), { minLength: 1 }), (row) => {
      expect(parseCsv(toCsvLine(row))).toEqual([row])
    }),
  )
})

test('an event is a row with the columns that the header names', () => {
  const row = toCsvRow({
    id: 'evt_1',
    seq: 3,
    at: '2026-03-01T12:00:00.000Z',
    tenant: 'acme',
    principal: { kind: 'user', id: 'mem_1' },
    principalName: '=cmd|calc',
    agent: 'support\nagent',
    callId: 'call_1',
    tool: 'billing.refund',
    type: 'call.completed',
    data: { text: '"=1+1"' },
  } as unknown as AuditEntry)
  expect(parseCsv(toCsvHeader() + row)).toEqual([
    [...csvColumns],
    [
      'evt_1',
      '2026-03-01T12:00:00.000Z',
      'call.completed',
      'billing.refund',
      'support agent',
      'user:mem_1',
      "'=cmd|calc",
      '',
      'call_1',
      '3',
      String.raw`{"text":"\"=1+1\""}`,
    ],
  ])
})
