import { defineTool, ToolError, z } from 'toolcrib'
import { readCsv } from '../lib/read-csv.ts'
import { round } from '../lib/rounding.ts'

const mostColumns = 100

interface Tally {
  column: string
  filled: number
  numbers: number
  lowest: number
  highest: number
  sum: number
}

const inline = (text: string) => `data:text/csv;base64,${btoa(text)}`

/** What is in a table: read as it comes, so that its size does not matter. */
export default defineTool({
  name: 'demo.table-summary',
  title: 'Summarise a table',
  description:
    'Read a CSV file and say what is in it: how many rows, and for each column how many cells are filled and the lowest, highest and mean number. ' +
    'The file is the address of an upload (crib://uploads/…), or a data URL for a small one. Its first row names the columns.',
  icon: 'table',
  effect: 'read',
  inputSchema: z.object({
    table: z
      .string()
      .meta({ format: 'file', contentMediaType: 'text/csv' })
      .describe('A CSV file whose first row names the columns'),
  }),
  outputSchema: z.object({
    summary: z.object({
      file: z.string(),
      bytes: z.int(),
      rows: z.int(),
      columns: z.int(),
    }),
    columns: z.array(
      z.object({
        column: z.string(),
        filled: z.int(),
        lowest: z.number().nullable(),
        highest: z.number().nullable(),
        mean: z.number().nullable(),
      }),
    ),
  }),
  examples: [
    { label: 'Three orders', input: { table: inline('order,amount\n1,10\n2,20\n3,60\n') } },
    { label: 'A gap', input: { table: inline('name,age\nAda,36\nGrace,\n') } },
  ],
  sections: [
    { key: 'summary', label: 'The file', type: 'summary' },
    { key: 'columns', label: 'Columns', type: 'table' },
  ],

  async execute({ table }, { files, signal }) {
    const file = await files.open(table)
    const rows = readCsv(file.chunks())
    const head = (await rows.next()).value
    if (head === undefined) throw new ToolError('invalid_input', 'The file has no rows')
    if (head.length > mostColumns) {
      throw new ToolError('invalid_input', `The file has more than ${mostColumns} columns`)
    }
    const tallies = head.map(toTally)
    let count = 0
    for await (const row of rows) {
      signal.throwIfAborted()
      count += 1
      for (const [index, tally] of tallies.entries()) add(tally, row[index] ?? '')
    }
    const name = file.name ?? 'a file in the input'
    return {
      summary: { file: name, bytes: file.size, rows: count, columns: tallies.length },
      columns: tallies.map(toColumn),
    }
  },
})

function toTally(column: string): Tally {
  const bounds = { lowest: Number.POSITIVE_INFINITY, highest: Number.NEGATIVE_INFINITY }
  return { column, filled: 0, numbers: 0, sum: 0, ...bounds }
}

function add(tally: Tally, cell: string): void {
  const text = cell.trim()
  if (text === '') return
  tally.filled += 1
  const value = Number(text)
  if (!Number.isFinite(value)) return
  tally.numbers += 1
  tally.sum += value
  tally.lowest = Math.min(tally.lowest, value)
  tally.highest = Math.max(tally.highest, value)
}

function toColumn({ column, filled, numbers, lowest, highest, sum }: Tally) {
  if (numbers === 0) return { column, filled, lowest: null, highest: null, mean: null }
  return { column, filled, lowest, highest, mean: round(sum / numbers, 2) }
}
