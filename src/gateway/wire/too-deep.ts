import type { JsonValue } from '../../core/kernel/json.ts'

/**
 * Far deeper than any honest schema, and well below where functions that go down a value level by
 * level (hashing, comparing, storing) refuse it or run out of stack.
 */
export const deepest = 500

/** Is it nested deeper than anybody here may go down? Walks without recursion, so it can't fall itself. */
export function isTooDeep(value: JsonValue | undefined): boolean {
  let level = [value]
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
    if (level.length === 0) return false
  }
  return true
}
