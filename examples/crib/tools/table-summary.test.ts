import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import tableSummary from './table-summary.tool.ts'

/** A file in memory, as a crib would give it. */
function holding(text: string) {
  const bytes = new TextEncoder().encode(text)
  async function* chunks() {
    yield bytes
  }
  const facts = { name: 'orders.csv', mediaType: 'text/csv', size: bytes.length }
  return {
    files: {
      open: async () => ({ ...facts, chunks }),
      read: async () => ({ ...facts, bytes, text: () => text }),
    },
  }
}

test('rows are counted, and numbers of a column are added up', async () => {
  const given = holding('order,amount,note\n1,10.5,\n2,20,"late, again"\n')
  expect((await runTool(tableSummary, { table: 'crib://uploads/x' }, given)).output).toEqual({
    summary: { file: 'orders.csv', bytes: 45, rows: 2, columns: 3 },
    columns: [
      { column: 'order', filled: 2, lowest: 1, highest: 2, mean: 1.5 },
      { column: 'amount', filled: 2, lowest: 10.5, highest: 20, mean: 15.25 },
      { column: 'note', filled: 1, lowest: null, highest: null, mean: null },
    ],
  })
})

test('an empty file is refused in words', async () => {
  const nothing = runTool(tableSummary, { table: 'crib://uploads/x' }, holding(''))
  await expect(nothing).rejects.toThrow('The file has no rows')
})
