import type { JsonValue } from '../../api/json.ts'
import { formatValue } from '../values/format-value.ts'
import { toWriting } from '../values/guess-column.ts'
import { isObject, isScalar, own } from '../values/view-types.ts'
import type { Row, ViewColumn } from '../values/view-types.ts'
import { toLabel } from '../values/labels.ts'
import { locale } from '../../ui/format/locale.ts'

export interface TableColumn extends ViewColumn {
  label: string
  align: 'left' | 'right' | 'center'
  isNumeric: boolean
}

export interface TableModel {
  columns: readonly TableColumn[]
  rows: readonly Row[]
}

/** How many rows are looked at to find the columns; beyond, a key of its own is found in the JSON. */
const lookedRows = 5000
const mostColumns = 5000

/** Rows and columns of a list of objects, or of scalars as one column. */
export function toTable(
  value: JsonValue,
  said: readonly ViewColumn[] = [],
): TableModel | undefined {
  const rows = toRows(value)
  if (rows === undefined) return undefined
  const hidden = new Set(said.filter((column) => column.hidden).map(({ key }) => key))
  const named = said.filter((column) => !hidden.has(column.key))
  const known = new Set(said.map(({ key }) => key))
  const others = findKeys(rows).filter((key) => !known.has(key))
  const columns = [...named, ...others.map((key) => ({ key }))]
  return { rows, columns: columns.map((column) => toColumn(column, rows)) }
}

function toColumn(column: ViewColumn, rows: readonly Row[]): TableColumn {
  const values = sample(rows, column.key)
  const writing = toWriting(column, values)
  const known = values.filter((value) => value !== null && value !== undefined)
  const isNumeric = known.length > 0 && known.every((value) => typeof value === 'number')
  return {
    ...column,
    ...writing,
    label: column.label ?? withoutUnit(toLabel(column.key), writing.format),
    align:
      column.align ??
      (isNumeric && writing.format !== 'year' && writing.format !== 'text' ? 'right' : 'left'),
    isNumeric,
  }
}

const unitWords: Partial<Record<NonNullable<ViewColumn['format']>, RegExp>> = {
  percent: /(.) percent$/i,
  duration: /(.) ms$/i,
  bytes: /(.) bytes$/i,
}

/** The value shows its unit, so the label drops it: `Return percent` is `Return`, `Elapsed ms` is `Elapsed`. */
function withoutUnit(label: string, format: ViewColumn['format']): string {
  const unit = format === undefined ? undefined : unitWords[format]
  return unit === undefined ? label : label.replace(unit, '$1')
}

/** Some values of a column from the beginning: enough to know what they are. */
function sample(rows: readonly Row[], key: string): (JsonValue | undefined)[] {
  return rows.slice(0, 200).map((row) => own(row, key))
}

function toRows(value: JsonValue): readonly Row[] | undefined {
  if (!Array.isArray(value)) return undefined
  if (value.every(isObject)) return value
  if (value.every(isScalar)) return value.map((item) => ({ value: item }))
  return undefined
}

function findKeys(rows: readonly Row[]): string[] {
  const keys = new Set<string>()
  for (const row of rows.slice(0, lookedRows)) {
    for (const key of Object.keys(row)) keys.add(key)
    if (keys.size > mostColumns) break
  }
  return [...keys].slice(0, mostColumns)
}

export interface Sorting {
  key: string
  isDescending: boolean
}

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })

/** The places of the rows in another order; equal ones stay as they came, and what is missing comes last. */
export function sortRows(rows: readonly Row[], sorting: Sorting | undefined): readonly Row[] {
  if (sorting === undefined) return rows
  const { key, isDescending } = sorting
  const keyed = rows.map((row) => ({ row, value: toSortable(own(row, key)) }))
  const direction = isDescending ? -1 : 1
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined)
    }
    return direction * compare(a.value, b.value)
  })
  return keyed.map(({ row }) => row)
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}

function toSortable(value: JsonValue | undefined): string | number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' ? value.slice(0, 200) : formatValue(value)
}

/** The fields of an object as columns with one row. */
export function toFields(value: Row, said: readonly ViewColumn[] = []): TableColumn[] {
  return toTable([value], said)?.columns.slice() ?? []
}
