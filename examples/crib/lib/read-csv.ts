/**
 * Rows of a CSV file as its bytes come: a file of any size needs no more room than its longest row.
 * Cells may stand in quotes, with commas, line ends and doubled quotes inside.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  const state: Reading = { row: [], cell: '', quotes: 'none' }
  for await (const chunk of chunks) yield* read(state, decoder.decode(chunk, { stream: true }))
  yield* read(state, decoder.decode())
  if (state.cell !== '' || state.row.length > 0) yield endRow(state)
}

interface Reading {
  row: string[]
  cell: string
  /** `closed`: the last character was a quote within quotes: their end, or the first half of one. */
  quotes: 'none' | 'open' | 'closed'
}

function* read(state: Reading, text: string): Generator<string[]> {
  for (const char of text) {
    if (state.quotes === 'open') {
      if (char === '"') state.quotes = 'closed'
      else state.cell += char
    } else if (char === '"') {
      if (state.quotes === 'closed') state.cell += char
      state.quotes = 'open'
    } else if (char === '\n') {
      yield endRow(state)
    } else if (char === ',') {
      endCell(state)
    } else if (char !== '\r') {
      state.cell += char
    }
  }
}

function endCell(state: Reading): void {
  state.row.push(state.cell)
  state.cell = ''
  state.quotes = 'none'
}

function endRow(state: Reading): string[] {
  endCell(state)
  const { row } = state
  state.row = []
  return row
}
