import type { JsonValue } from '../kernel/json.ts'
import type { ColumnPlace } from './condition-columns.ts'
import type { ConditionOperator } from './condition.ts'
import { isListIndex } from './resolve-references.ts'
import { rawSql, type SqlPiece, sql, sqlValue } from './sql-piece.ts'
import { isStorable } from './storable.ts'

/** An operator with its value; undefined if that is missing. */
export interface ValueComparison {
  readonly operator: ConditionOperator
  readonly value: JsonValue | undefined
}

/** The comparison of a value within a jsonb column. */
export function compareJson(place: ColumnPlace, { operator, value }: ValueComparison): SqlPiece {
  const field = fieldOf(place)
  switch (operator) {
    case 'eq':
      return equals(place, field, value ?? null)
    case 'neq':
      return sql`(not ${equals(place, field, value ?? null)})`
    case 'in':
      return isIn(field, value)
    case 'contains':
      return contains(field, value ?? null)
    case 'exists':
      return value === false ? sql`(${field} is null)` : sql`(${field} is not null)`
    default:
      return ordered(field, operator, value)
  }
}

/** How the four ordering operators are written in SQL. */
export const orderSigns = { gt: '>', lt: '<', gte: '>=', lte: '<=' } as const

/** SQL null only where the field is missing; a null in JSON is a value. */
function fieldOf({ column, keys }: ColumnPlace): SqlPiece {
  return groupKeys(keys).reduce(
    (field, group) => {
      if (Array.isArray(group)) return sql`(${field} #> ${sqlValue(toArrayText(group))}::text[])`
      return sql`(${field} -> ${sqlValue(group)})`
    },
    rawSql(`(${column.sql})`),
  )
}

/**
 * Keys for `#>` together. It reads `-1`, `01` and ` 1` as places in a list, which they are not in a
 * reference; `->` with a text looks into objects only, so these are texts alone.
 */
function groupKeys(keys: readonly string[]): (string | string[])[] {
  const groups: (string | string[])[] = []
  for (const key of keys) {
    const last = groups.at(-1)
    if (/^[\s\d+-]/.test(key) && !isListIndex(key)) groups.push(key)
    else if (Array.isArray(last)) last.push(key)
    else groups.push([key])
  }
  return groups
}

/** The text of an array: quoted, so that no key means anything to it. */
function toArrayText(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
}

function toJsonb(value: JsonValue): SqlPiece {
  return sql`${sqlValue(JSON.stringify(value))}::jsonb`
}

function equals(place: ColumnPlace, field: SqlPiece, value: JsonValue): SqlPiece {
  if (value === null) return sql`(coalesce(${field}, 'null'::jsonb) = 'null'::jsonb)`
  if (!isStorable(value)) return rawSql('false')
  const same = sql`${field} is not null and ${field} = ${toJsonb(value)}`
  // An index on the column can find what contains the value, which equal rows do. An index in a list has no such form.
  if (place.keys.some(isListIndex)) return sql`(${same})`
  const whole = place.keys.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value)
  return sql`(${rawSql(place.column.sql)} @> ${toJsonb(whole)} and ${same})`
}

function isIn(field: SqlPiece, value: JsonValue | undefined): SqlPiece {
  const items = Array.isArray(value) ? value.filter(isStorable) : []
  if (items.length === 0) return rawSql('false')
  return sql`(coalesce(${field}, 'null'::jsonb) = any (array(select jsonb_array_elements(${toJsonb(items)}))))`
}

function contains(field: SqlPiece, value: JsonValue): SqlPiece {
  if (!isStorable(value)) return rawSql('false')
  const inText =
    typeof value === 'string'
      ? sql`strpos((${field} #>> '{}') collate "C", ${sqlValue(value)}) > 0`
      : rawSql('false')
  const inList = sql`exists (select from jsonb_array_elements(${field}) as one(item) where one.item = ${toJsonb(value)})`
  // A case, because an `and` may look into a list before it knows that there is one.
  return sql`(case jsonb_typeof(${field}) when 'array' then ${inList} when 'string' then ${inText} else false end)`
}

function ordered(
  field: SqlPiece,
  operator: keyof typeof orderSigns,
  value: JsonValue | undefined,
): SqlPiece {
  const sign = rawSql(orderSigns[operator])
  if (typeof value === 'number') {
    return sql`(case jsonb_typeof(${field}) when 'number' then (${field})::numeric ${sign} ${sqlValue(JSON.stringify(value))}::numeric else false end)`
  }
  if (typeof value !== 'string' || !isStorable(value)) return rawSql('false')
  return sql`(case jsonb_typeof(${field}) when 'string' then (${field} #>> '{}') collate "C" ${sign} ${sqlValue(value)} else false end)`
}
