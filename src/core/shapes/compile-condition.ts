import { ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { type ColumnPlace, type ConditionColumns, findColumn } from './condition-columns.ts'
import type { Comparison, Condition } from './condition.ts'
import { compareColumn } from './compare-column.ts'
import { compareJson } from './compare-json.ts'
import { isTrueOf } from './matches.ts'
import { referencesIn } from './references-in.ts'
import { type ReferenceRoots, resolveReferences } from './resolve-references.ts'
import { joinSql, rawSql, type SqlPiece, sql } from './sql-piece.ts'
import { isStorableText } from './storable.ts'

/**
 * A condition as SQL for a `where`: true for the rows for which `matches` is true, otherwise false and
 * never null. The same on PGlite and PostgreSQL, and without any value in its text. References in
 * values are filled in from `roots`.
 *
 * SQL compares numbers digit by digit. That is what JavaScript does with numbers it wrote itself; only
 * other writers can store 2^53 + 1.
 */
export function compileCondition(
  condition: Condition,
  columns: ConditionColumns,
  roots: ReferenceRoots = {},
): SqlPiece {
  const compile = (inner: Condition) => compileCondition(inner, columns, roots)
  if ('all' in condition) return joinSql(condition.all.map(compile), ' and ', 'true')
  if ('any' in condition) return joinSql(condition.any.map(compile), ' or ', 'false')
  if ('not' in condition) return sql`(not ${compile(condition.not)})`
  const place = findColumn(condition.field, columns)
  const value = fillValue(condition, columns, roots)
  if (isNeverThere(place)) return rawSql(String(isTrueOf(condition.operator, undefined, value)))
  const comparison = { operator: condition.operator, value }
  return place.column.type === 'json'
    ? compareJson(place, comparison)
    : compareColumn(place.column, comparison)
}

/** One row at a time can be compared with itself; a statement would need each value as SQL. */
function fillValue(
  { field, value }: Comparison,
  columns: ConditionColumns,
  roots: ReferenceRoots,
): JsonValue | undefined {
  if (value === undefined) return undefined
  const names = Object.keys(columns).map((name) => /^\w+/.exec(name)?.[0])
  const own = referencesIn(value).find(({ root }) => names.includes(root))
  if (own === undefined) return resolveReferences(value, roots)
  throw new ToolError('invalid_input', `${field} can't be compared with {{${own.path}}}`, {
    fix: 'Compare a stored field with a value, or with something that is known beforehand.',
  })
}

function isNeverThere({ column, keys }: ColumnPlace): boolean {
  if (column.type !== 'json') return keys.length > 0
  return keys.some((key) => key === '__proto__' || !isStorableText(key))
}
