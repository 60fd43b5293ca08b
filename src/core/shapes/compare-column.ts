import type { JsonValue } from '../kernel/json.ts'
import type { ConditionColumn } from './condition-columns.ts'
import type { ConditionOperator } from './condition.ts'
import { type ValueComparison, orderSigns } from './compare-json.ts'
import { rawSql, type SqlPiece, sql, sqlValue } from './sql-piece.ts'
import { isStorable } from './storable.ts'

/** How texts become values of the column. */
const casts = { text: '', number: '::numeric', boolean: '::boolean', json: '::jsonb' } as const

/** The comparison of a column of its own. Values of other types never equal it, as in `matches`. */
export function compareColumn(
  column: ConditionColumn,
  { operator, value }: ValueComparison,
): SqlPiece {
  const field = rawSql(`(${column.sql})`)
  switch (operator) {
    case 'eq':
      return equals(column, field, value ?? null)
    case 'neq':
      return sql`(not ${equals(column, field, value ?? null)})`
    case 'in':
      return isIn(column, field, Array.isArray(value) ? value : [])
    case 'contains':
      return contains(column, field, value)
    case 'exists':
      return value === false ? sql`(${field} is null)` : sql`(${field} is not null)`
    default:
      return ordered(column, operator, value)
  }
}

function fits({ type }: ConditionColumn, value: JsonValue | undefined): boolean {
  if (type === 'text') return typeof value === 'string' && isStorable(value)
  return typeof value === type
}

function equals(column: ConditionColumn, field: SqlPiece, value: JsonValue): SqlPiece {
  if (value === null) return sql`(${field} is null)`
  if (!fits(column, value)) return rawSql('false')
  return sql`(${field} is not null and ${field} = ${toColumnValue(column, value)})`
}

function isIn(column: ConditionColumn, field: SqlPiece, values: readonly JsonValue[]): SqlPiece {
  const items = values.filter((item) => fits(column, item))
  const list = sql`array(select one.item${rawSql(casts[column.type])} from jsonb_array_elements_text(${sqlValue(JSON.stringify(items))}::jsonb) as one(item))`
  const isItem = sql`(${field} is not null and ${field} = any (${list}))`
  return values.includes(null) ? sql`(${field} is null or ${isItem})` : isItem
}

function contains(
  column: ConditionColumn,
  field: SqlPiece,
  value: JsonValue | undefined,
): SqlPiece {
  if (typeof value !== 'string' || column.type !== 'text' || !fits(column, value)) {
    return rawSql('false')
  }
  return sql`(${field} is not null and strpos(${field} collate "C", ${sqlValue(value)}) > 0)`
}

function ordered(
  column: ConditionColumn,
  operator: Extract<ConditionOperator, keyof typeof orderSigns>,
  value: JsonValue | undefined,
): SqlPiece {
  if (value === undefined || column.type === 'boolean' || !fits(column, value)) {
    return rawSql('false')
  }
  const field = rawSql(column.type === 'text' ? `(${column.sql}) collate "C"` : `(${column.sql})`)
  const sign = rawSql(orderSigns[operator])
  return sql`((${rawSql(column.sql)}) is not null and ${field} ${sign} ${toColumnValue(column, value)})`
}

function toColumnValue(column: ConditionColumn, value: JsonValue): SqlPiece {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return sql`${sqlValue(text)}${rawSql(casts[column.type])}`
}
