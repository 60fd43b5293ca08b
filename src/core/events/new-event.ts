import type { EventPayloads, EventType, NewEvent } from './event.ts'

/** An event of a type that only the caller knows. Where the type is written out, write the object. */
export function newEvent<T extends EventType>(
  type: T,
  data: EventPayloads[T],
  at: number,
): NewEvent {
  return { type, at, data } as unknown as NewEvent
}
