/** The six types of JSON, and `integer`, which schemas treat as a type. */
export const jsonTypes = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] as const

export type JsonType = (typeof jsonTypes)[number]

/** True for a JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own value of a key; undefined if there is none, whatever the prototype holds. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** True when a value has this JSON type. 3.0 is an integer. */
export function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    default:
      return typeof value === type
  }
}

const phrases: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
}

/** The types as a phrase: `a string or null`. */
export function toTypePhrase(types: readonly JsonType[]): string {
  return joinOr(types.map((type) => phrases[type]))
}

/** The type of a value, for "got …". Never shows the value: it may be a secret. */
export function toValuePhrase(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'boolean') return 'a boolean'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return `a ${typeof value}`
}

/** `a, b or c`. */
export function joinOr(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
