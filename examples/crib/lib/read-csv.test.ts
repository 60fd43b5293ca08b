import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'

async function rowsOf(text: string, size: number): Promise<string[][]> {
  const bytes = new TextEncoder().encode(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const rows: string[][] = []
  for await (const row of readCsv(chunks())) rows.push(row)
  return rows
}

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`

test('rows come back as they were written, however the bytes are cut', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 8 })
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (table, size) => {
      const text = table.map((row) => `${row.map(quote).join(',')}\n`).join('')
      expect(await rowsOf(text, size)).toEqual(table)
    }),
    { numRuns: 100 },
  )
})

test('plain cells, Windows line ends and a last row without one', async () => {
  expect(await rowsOf('a,b\r\n1,"x, y"\r\n,', 3)).toEqual([
    ['a', 'b'],
    ['1', 'x, y'],
    ['', ''],
  ])
  expect(await rowsOf('', 3)).toEqual([])
})
