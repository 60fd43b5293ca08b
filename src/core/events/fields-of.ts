import { isRecord } from '../kernel/json/json-type.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { EventPayloads, EventType } from './event.ts'

/** The names of the fields that any of these payloads has. */
type FieldName<Data> = Data extends unknown ? keyof Data & string : never

/** The fields of a payload, each perhaps missing and of any type. */
export type LooseFields<T extends EventType = EventType> = {
  readonly [K in FieldName<EventPayloads[T]>]?: JsonValue
}

/**
 * The fields of an event that any version may have written: the compiler checks their names, the reader
 * checks their values. Readers of the log use it, because they must not fail on an old event.
 */
export function fieldsOf<T extends EventType>(event: { type: T; data: unknown }): LooseFields<T> {
  return isRecord(event.data) ? (event.data as LooseFields<T>) : {}
}
