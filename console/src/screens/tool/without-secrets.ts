import type { JsonValue } from '../../api/json.ts'

const deepest = 12

/** The input without what the schema calls a secret: a snippet is copied into files and chats. */
export function withoutSecrets(value: JsonValue, schema: unknown, depth = 0): JsonValue {
  if (!isRecord(schema) || depth > deepest) return value
  const isSecret = schema['format'] === 'password' || schema['writeOnly'] === true
  if (isSecret && value !== null && value !== '') return '…'
  if (Array.isArray(value)) {
    return value.map((item) => withoutSecrets(item, schema['items'], depth + 1))
  }
  if (!isRecord(value)) return value
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      withoutSecrets(
        inner,
        Object.hasOwn(properties, name) ? properties[name] : undefined,
        depth + 1,
      ),
    ]),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
