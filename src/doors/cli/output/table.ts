import type { Screen } from './screen.ts'
import { pad, truncate, widthOf } from './text-width.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
  /** May be cut down to this width when the terminal is narrow; a column without it is never cut. */
  shrinkTo?: number
  /** Colours a cell after it was padded; `row` is the index of the row. */
  style?: (cell: string, row: number) => string
}

export interface Table {
  columns: readonly Column[]
  /** Cells must be safe, single lines. */
  rows: readonly (readonly string[])[]
  /** Columns of the terminal; Infinity without one. */
  width: number
  indent?: number
}

const gap = 2

/** Prints a table that fits the screen. */
export function showTable(screen: Screen, table: Omit<Table, 'width'>): void {
  const lines = toTableLines({ ...table, width: screen.width }, (text) => screen.style('dim', text))
  for (const line of lines) screen.out(line)
}

/** A table as lines that fit the width: the widest shrinkable column gives way first. */
export function toTableLines(table: Table, styleHeader: (text: string) => string): string[] {
  const indent = ' '.repeat(table.indent ?? 0)
  const widths = fitWidths(table)
  const header = table.columns.map((column, index) => fit(column.title, column, widths[index]))
  const lines = table.rows.map((row, rowIndex) =>
    toLine(
      table.columns.map((column, index) => {
        const cell = fit(row[index] ?? '', column, widths[index])
        return column.style === undefined ? cell : column.style(cell, rowIndex)
      }),
      indent,
    ),
  )
  return [styleHeader(toLine(header, indent)), ...lines]
}

function fitWidths({ columns, rows, width, indent = 0 }: Table): number[] {
  const widths = columns.map((column, index) =>
    rows.reduce(
      (widest, row) => Math.max(widest, widthOf(row[index] ?? '')),
      widthOf(column.title),
    ),
  )
  const gaps = indent + gap * (columns.length - 1)
  let excess = widths.reduce((sum, one) => sum + one, 0) + gaps - width
  while (excess > 0) {
    const index = widestShrinkable(columns, widths)
    if (index === undefined) break
    widths[index] = (widths[index] ?? 1) - 1
    excess -= 1
  }
  return widths
}

function widestShrinkable(
  columns: readonly Column[],
  widths: readonly number[],
): number | undefined {
  let widest: number | undefined
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0
    if (column.shrinkTo === undefined || width <= column.shrinkTo) continue
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index
  }
  return widest
}

function fit(cell: string, column: Column, width = 0): string {
  return pad(truncate(cell, width), width, column.align)
}

function toLine(cells: readonly string[], indent: string): string {
  return (indent + cells.join(' '.repeat(gap))).trimEnd()
}
