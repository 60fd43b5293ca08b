import type { Api } from '../../api/client.ts'
import type { JsonObject, JsonValue } from '../../api/json.ts'

/** How a yes is to hold for like calls. */
export interface RememberChoice {
  isOn: boolean
  for: string
  match: 'same' | 'fields' | 'any'
  /** The fields that have to be equal. */
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
 * Fields whose value a rule can ask for. In a rule `*` stands for any text: a value that has one
 * would let more through than what is on the screen, so it is not offered.
 */
export function fieldsToMatch(input: JsonValue): string[] {
  if (!isObject(input)) return []
  return Object.keys(input).filter((name) => {
    const value = input[name]
    return value !== null && !JSON.stringify(value ?? null).includes('*')
  })
}

/** What is sent with an approval; undefined when nothing is to be remembered. */
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
