import { isRecord } from '../../../core/kernel/json/json-type.ts'

/**
 * The parsed input without what parsing has filled in. To an API a missing field is not the same as
 * null or as a default: the one leaves a value as it is, the other changes it.
 */
export function asGiven(parsed: unknown, given: unknown): unknown {
  if (Array.isArray(parsed)) {
    if (!Array.isArray(given)) return parsed
    return parsed.map((item: unknown, index) => asGiven(item, given[index]))
  }
  if (!isRecord(parsed) || !isRecord(given)) return parsed
  const kept = Object.entries(parsed).filter(([key]) => Object.hasOwn(given, key))
  return Object.fromEntries(kept.map(([key, value]) => [key, asGiven(value, given[key])]))
}
