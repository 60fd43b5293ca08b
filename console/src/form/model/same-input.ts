import type { JsonValue } from '../../api/json.ts'
import { isRecord } from './schema.ts'

/** Whether two inputs ask for the same: in any order of keys, and a key left out is one that is null. */
export function isSameInput(one: JsonValue, other: JsonValue): boolean {
  return one === other || canonical(one) === canonical(other)
}

function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, held: JsonValue) =>
    isRecord(held)
      ? Object.fromEntries(
          Object.entries(held)
            .filter(([, inner]) => inner !== null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : held,
  )
}
