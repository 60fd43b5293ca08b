import { ToolError } from '../kernel/errors.ts'
import { parsePath, type Reference } from './reference.ts'

/**
 * A column that a field of a condition names. `sql` is an expression written by a programmer, such as
 * `entities.content`; nothing that a user typed belongs in it.
 *
 * - `json` is a jsonb column that is never null; the rest of the path leads into it.
 * - `text`, `number` and `boolean` are columns of their own. Null means that the field is missing.
 */
export interface ConditionColumn {
  readonly type: 'json' | 'text' | 'number' | 'boolean'
  readonly sql: string
}

/** Columns by the path that they stand for, such as `entity` or `entity.title`. The longest counts. */
export type ConditionColumns = Readonly<Record<string, ConditionColumn>>

/** A field of a condition as a column and what is left of its path. */
export interface ColumnPlace {
  readonly column: ConditionColumn
  readonly keys: readonly string[]
}

/** The column for a field. */
export function findColumn(field: string, columns: ConditionColumns): ColumnPlace {
  const path = parsePath(field)
  const places = Object.entries(columns)
    .map(([name, column]) => ({ column, ...place(path, parsePath(name)) }))
    .filter(({ length }) => length > 0)
    .toSorted((left, right) => right.length - left.length)
  const [found] = places
  if (found !== undefined) return { column: found.column, keys: found.keys }
  throw new ToolError('invalid_input', `Nothing can be filtered by ${field}`, {
    fix: `Begin the field with one of these: ${Object.keys(columns).join(', ')}.`,
  })
}

/** How much of the path the column stands for, in keys with the root; 0 if it is another path. */
function place(path: Reference | undefined, name: Reference | undefined) {
  const keys = path?.keys ?? []
  const isWithin =
    name !== undefined &&
    name.root === path?.root &&
    name.keys.every((key, index) => key === keys[index])
  return isWithin
    ? { length: name.keys.length + 1, keys: keys.slice(name.keys.length) }
    : { length: 0, keys: [] }
}
