import type { JsonValue } from '../../../api/json.ts'
import { draftOf, textOf } from './spec-draft.ts'
import type { Draft } from './spec-draft.ts'
import { readFieldText, writeFieldText } from './step-values.ts'

/** A condition as rows: comparisons of which all or any must hold. */
export interface ConditionRows {
  join: 'all' | 'any'
  rows: readonly ComparisonRow[]
}

/** One comparison as it is typed. */
export interface ComparisonRow {
  field: string
  operator: string
  text: string
}

/** The operators in words. `missing` is `exists` with the value false. */
export const operators = [
  { value: 'eq', label: 'is' },
  { value: 'neq', label: 'is not' },
  { value: 'gt', label: 'is greater than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
  { value: 'in', label: 'is one of' },
  { value: 'contains', label: 'contains' },
  { value: 'exists', label: 'is there' },
  { value: 'missing', label: 'is missing' },
] as const

export const hasValue = (operator: string) => operator !== 'exists' && operator !== 'missing'

/** The rows of a condition; undefined if it is nested, so that rows can't show it. */
export function readRows(condition: JsonValue | undefined): ConditionRows | undefined {
  if (condition === undefined) return { join: 'all', rows: [] }
  const given = draftOf(condition)
  const join = Array.isArray(given['any']) ? 'any' : 'all'
  const list = Array.isArray(given[join]) ? given[join] : [given]
  const rows = list.map((one) => readRow(draftOf(one)))
  const known = rows.filter((row) => row !== undefined)
  return known.length === rows.length ? { join, rows: known } : undefined
}

function readRow({ field, operator, value, ...rest }: Draft): ComparisonRow | undefined {
  const isOpen = Object.keys(rest).length > 0 || typeof field !== 'string'
  if (isOpen || typeof operator !== 'string') return undefined
  if (operator !== 'exists') return { field, operator, text: toText(value) }
  return { field, operator: value === false ? 'missing' : 'exists', text: '' }
}

/** Text that would read as another value is in quotes. */
function toText(value: JsonValue | undefined): string {
  const text = readFieldText(value)
  const isText = typeof value === 'string'
  return isText && writeFieldText(text, undefined) !== value ? JSON.stringify(value) : text
}

/** The condition of these rows; undefined without any. */
export function writeRows({ join, rows }: ConditionRows): JsonValue | undefined {
  const comparisons = rows.map(writeRow)
  if (comparisons.length > 1 || join === 'any') {
    return comparisons.length === 0 ? undefined : { [join]: comparisons }
  }
  return comparisons[0]
}

function writeRow({ field, operator, text }: ComparisonRow): JsonValue {
  if (operator === 'exists') return { field, operator }
  if (operator === 'missing') return { field, operator: 'exists', value: false }
  const value = toValue(text)
  if (operator !== 'in' || Array.isArray(value) || textOf(value).includes('{{')) {
    return { field, operator, value }
  }
  // A list of words is typed with commas between them.
  const items = text.split(',').map((item) => toValue(item.trim()))
  return { field, operator, value: items }
}

function toValue(text: string): JsonValue {
  const value = writeFieldText(text, undefined)
  return value === undefined ? '' : value
}

/** True if both are the same condition, however they are typed. */
export function isSameRow(one: ComparisonRow, other: ComparisonRow): boolean {
  return JSON.stringify(writeRow(one)) === JSON.stringify(writeRow(other))
}
