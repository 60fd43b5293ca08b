import type { Api } from './client.ts'
import type { JsonValue } from './json.ts'

type EventFact = Api<'EventFact'>

export type EventType = EventFact['type']

type FieldName<Data> = Data extends unknown ? keyof Data & string : never

/** The fields of a payload, each perhaps missing and of any type. */
export type EventFields<T extends EventType = EventType> = {
  readonly [K in FieldName<Extract<EventFact, { type: T }>['data']>]?: JsonValue
}

/** The fields of an event of any version: the compiler checks their names, the reader their values. */
export function fieldsOf<T extends EventType>(event: { type: T; data?: unknown }): EventFields<T> {
  const { data } = event
  const isFields = typeof data === 'object' && data !== null && !Array.isArray(data)
  return isFields ? data : {}
}
