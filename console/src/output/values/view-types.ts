import type { Api } from '../../api/client.ts'
import type { JsonObject, JsonValue } from '../../api/json.ts'

export type ViewSpec = Api<'ViewSpec'>
export type ViewSection = NonNullable<ViewSpec['sections']>[number]
export type ViewColumn = NonNullable<ViewSection['columns']>[number]
export type ViewChart = NonNullable<ViewSection['chart']>
export type ViewRanking = NonNullable<ViewSection['ranking']>
export type ViewKind = NonNullable<ViewSection['kind']>

/** How a value is written. */
export type Writing = Pick<ViewColumn, 'format' | 'unit' | 'currency' | 'digits'>

export type Row = JsonObject

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isScalar(value: JsonValue | undefined): boolean {
  return typeof value !== 'object' || value === null
}

/** A key of strangers: what an object inherits is not in it. */
export function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
