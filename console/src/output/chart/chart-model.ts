import { formatValue } from '../values/format-value.ts'
import { toTable } from '../table/table-model.ts'
import type { TableColumn } from '../table/table-model.ts'
import type { JsonValue } from '../../api/json.ts'
import { own } from '../values/view-types.ts'
import type { Row, ViewChart, ViewColumn, Writing } from '../values/view-types.ts'
import { toLabel } from '../values/labels.ts'

export interface ChartSeries {
  key: string
  label: string
}

/** A chart, ready to be drawn: its points carry the label of the axis as `x` and the series by number. */
export interface ChartModel {
  kind: 'line' | 'bar' | 'radar'
  series: readonly ChartSeries[]
  points: readonly Record<string, number | string | null>[]
  writing: Writing
  max: number | undefined
  isStacked: boolean
  /** Of so many rows not all could be drawn. */
  everyNth: number
}

const mostPoints = 400
const mostSeries = 6
/** A place in a list or a limit, not something measured. */
const notMeasured = /^(?:rank|id|index|position|step|max|maximum|min|minimum|order)$/i
const axisNames = [
  'label',
  'name',
  'date',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'time',
  'title',
]

interface Wanted {
  kind?: 'line' | 'bar' | 'radar'
  chart?: ViewChart | undefined
  columns?: readonly ViewColumn[] | undefined
}

/** The chart of a list of rows; undefined where there is nothing to draw one of. */
export function toChart(
  value: JsonValue,
  { kind, chart = {}, columns }: Wanted = {},
): ChartModel | undefined {
  const table = toTable(value, columns)
  if (table === undefined || table.rows.length === 0) return undefined
  const x = findAxis(table.columns, chart.x)
  const series = findSeries(table.columns, { chart, x: x?.key })
  if (x === undefined || series.length === 0) return undefined
  const everyNth = Math.max(1, Math.ceil(table.rows.length / mostPoints))
  const rows = table.rows.filter((_, index) => index % everyNth === 0)
  const first = table.columns.find(({ key }) => key === series[0]?.key)
  return {
    kind: kind ?? chart.kind ?? guessKind(x, rows),
    series,
    points: rows.map((row) => toPoint(row, x, series)),
    writing: { ...pickWriting(first), ...pickWriting(chart) },
    max: chart.max ?? findMax(table.rows),
    isStacked: chart.isStacked === true,
    everyNth,
  }
}

/** Whether a table may also be looked at as a chart: a few measured series, and names for the points. */
export function mayChart(value: JsonValue, columns?: readonly ViewColumn[]): boolean {
  if (!Array.isArray(value) || value.length < 2) return false
  const chart = toChart(value, { columns })
  return chart !== undefined && chart.series.length <= mostSeries
}

/** Whether bars are horizontal: few of them, with names too long for a vertical chart. */
export function lies({ kind, points }: ChartModel): boolean {
  if (kind !== 'bar' || points.length > 40) return false
  const longest = points.reduce((most, { x }) => Math.max(most, String(x).length), 0)
  return longest * points.length > 60 && longest > 10
}

/** How high lying bars are together. */
export function heightOf(points: number, series: number): number {
  return Math.max(160, points * Math.max(36, series * 20 + 14) + 40)
}

function findAxis(
  columns: readonly TableColumn[],
  said: string | undefined,
): TableColumn | undefined {
  if (said !== undefined) return columns.find(({ key }) => key === said)
  const named = axisNames.flatMap((name) => columns.filter(({ key }) => key.toLowerCase() === name))
  return named[0] ?? columns.find(({ isNumeric }) => !isNumeric)
}

function findSeries(
  columns: readonly TableColumn[],
  { chart, x }: { chart: ViewChart; x: string | undefined },
): ChartSeries[] {
  if (chart.series !== undefined) {
    return chart.series.map(({ key, label }) => ({
      key,
      label: label ?? columns.find((column) => column.key === key)?.label ?? toLabel(key),
    }))
  }
  return columns
    .filter(({ key, isNumeric, format }) => {
      return isNumeric && format !== 'text' && key !== x && !notMeasured.test(key)
    })
    .slice(0, mostSeries)
    .map(({ key, label }) => ({ key, label }))
}

function toPoint(
  row: Row,
  x: TableColumn,
  series: readonly ChartSeries[],
): Record<string, number | string | null> {
  const point: Record<string, number | string | null> = { x: formatValue(own(row, x.key), x) }
  for (const [index, { key }] of series.entries()) {
    const value = own(row, key)
    // The keys of strangers stay out of the drawing library, which takes them for paths.
    point[`s${index}`] = typeof value === 'number' ? value : null
  }
  return point
}

const inTime = /^(?:year|month|week|day|quarter|q|h)\s?\d|^\d{4}(?:-|$)/i

/** A line shows a sequence; bars compare. */
function guessKind(x: TableColumn, rows: readonly Row[]): 'line' | 'bar' {
  if (x.format === 'date' || x.format === 'datetime' || x.format === 'year') return 'line'
  const labels = rows.slice(0, 50).map((row) => formatValue(own(row, x.key)))
  return labels.length > 2 && labels.every((label) => inTime.test(label)) ? 'line' : 'bar'
}

/** Rows that each say the same highest value mean the end of the scale. */
function findMax(rows: readonly Row[]): number | undefined {
  const first = rows[0]
  if (first === undefined) return undefined
  for (const key of ['max', 'maximum']) {
    const max = own(first, key)
    if (typeof max === 'number' && rows.every((row) => own(row, key) === max)) return max
  }
  return undefined
}

function pickWriting(from: Writing | undefined): Writing {
  const { format, unit, currency, digits } = from ?? {}
  return {
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
    ...(currency !== undefined && { currency }),
    ...(digits !== undefined && { digits }),
  }
}
