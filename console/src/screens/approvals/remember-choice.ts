import type { Api } from '../../api/client.ts'
import type { JsonObject, JsonValue } from '../../api/json.ts'

/** Which later calls an approval also covers, and for how long. */
export interface RememberChoice {
  isOn: boolean
  for: string
  match: 'same' | 'fields' | 'any'
  /** The fields that must be equal. */
  fields: readonly string[]
}

export const noRemember: RememberChoice = { isOn: false, for: '8h', match: 'same', fields: [] }

export const rememberTimes: readonly { value: string; label: string; ms: number }[] = [
  { value: '1h', label: '1 hour', ms: 3_600_000 },
  { value: '8h', label: '8 hours', ms: 28_800_000 },
  { value: '1d', label: '1 day', ms: 86_400_000 },
  { value: '7d', label: '7 days', ms: 604_800_000 },
  { value: '30d', label: '30 days', ms: 2_592_000_000 },
]

/**
 * Fields whose value a rule can match. In a rule `*` matches any text, so a value that contains one
 * would allow more than the screen shows; it is not offered.
 */
export function fieldsToMatch(input: JsonValue): string[] {
  if (!isObject(input)) return []
  return Object.keys(input).filter((name) => {
    const value = input[name]
    return value !== null && !JSON.stringify(value ?? null).includes('*')
  })
}

/** The `remember` field of an approval; undefined if nothing is remembered. */
export function toRemember(
  choice: RememberChoice,
  input: JsonValue,
): Api<'DecisionRequest'>['remember'] {
  if (!choice.isOn) return undefined
  if (choice.match === 'any') return { for: choice.for, match: 'any-input' }
  const fields = choice.fields.filter((name) => fieldsToMatch(input).includes(name))
  if (choice.match === 'same' || fields.length === 0 || !isObject(input)) {
    return { for: choice.for, match: 'same-input' }
  }
  const match: JsonObject = {}
  for (const name of fields) {
    Object.defineProperty(match, name, { value: input[name], enumerable: true })
  }
  return { for: choice.for, match }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
