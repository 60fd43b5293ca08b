import type { JsonValue } from '../../api/json.ts'
import { formatValue } from '../values/format-value.ts'
import { toTable } from '../table/table-model.ts'
import type { TableColumn } from '../table/table-model.ts'
import { isObject, own } from '../values/view-types.ts'
import type { Row, ViewColumn, ViewRanking } from '../values/view-types.ts'

export interface Ranked {
  place: number
  name: string
  said: string
  /** 0 to 1, of the largest; of a negative one its size. */
  share: number
  isNegative: boolean
  details: readonly { label: string; said: string }[]
}

export interface RankingModel {
  /** The label of the ranking value. */
  by: string
  items: readonly Ranked[]
}

const names = ['name', 'label', 'title', 'question', 'item', 'key']
const measures = ['score', 'points', 'value', 'total', 'count', 'share']

interface Wanted {
  ranking?: ViewRanking | undefined
  columns?: readonly ViewColumn[] | undefined
}

/** Rows as bars in the order they came, which is the tool's ranking; undefined where nothing is measured. */
export function toRanking(
  value: JsonValue,
  { ranking, columns }: Wanted,
): RankingModel | undefined {
  const table = toTable(value, columns)
  if (table === undefined || !Array.isArray(value) || !value.every(isObject)) return undefined
  const by = pick(table.columns, ranking?.by, { among: measures, isNumeric: true })
  const label = pick(table.columns, ranking?.label, { among: names, isNumeric: false })
  if (by === undefined || label === undefined) return undefined
  const values = table.rows.map((row) => toNumber(own(row, by.key)))
  const sizes = values.slice(0, 10_000).map((number) => Math.abs(number ?? 0))
  const max = ranking?.max ?? Math.max(0, ...sizes)
  // Only fields that the view names are shown beside the bar; the rest is in the table.
  const asked = new Set((columns ?? []).filter(({ hidden }) => !hidden).map(({ key }) => key))
  const details = table.columns.filter(
    ({ key }) => asked.has(key) && key !== by.key && key !== label.key && key !== 'rank',
  )
  const items = table.rows.map((row, index) => ({
    place: toNumber(own(row, 'rank')) ?? index + 1,
    name: formatValue(own(row, label.key), label),
    said: formatValue(own(row, by.key), by),
    share: max > 0 ? Math.min(1, Math.abs(values[index] ?? 0) / max) : 0,
    isNegative: (values[index] ?? 0) < 0,
    details: toDetails(row, details),
  }))
  return { by: by.label, items }
}

function toDetails(row: Row, columns: readonly TableColumn[]): { label: string; said: string }[] {
  return columns.map((column) => ({
    // A text needs no label.
    label: column.isNumeric ? column.label : '',
    said: formatValue(own(row, column.key), column),
  }))
}

function pick(
  columns: readonly TableColumn[],
  said: string | undefined,
  { among, isNumeric }: { among: readonly string[]; isNumeric: boolean },
): TableColumn | undefined {
  if (said !== undefined) return columns.find(({ key }) => key === said)
  const fitting = columns.filter(
    (column) => column.isNumeric === isNumeric && column.key !== 'rank',
  )
  return among.flatMap((key) => fitting.filter((column) => column.key === key))[0] ?? fitting[0]
}

function toNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
