import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { Redactor } from '../../core/secrets/redact.ts'

/** What only tells something. By all else a tool is called, or its input is judged: that stays as it is. */
const telling = new Set(['title', 'description', '$comment', 'default', 'examples'])
/** Whose keys are names that the server chose, so that one may be called `title`. */
const maps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** A listed tool whose words hold nothing of what its server was given: models read them, and pins keep them. */
export function cleanWords(listed: JsonValue, redactor: Redactor): JsonValue {
  return redactor.isEmpty ? listed : clean(listed, redactor, false)
}

function clean(value: JsonValue, redactor: Redactor, isMap: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => clean(item, redactor, false))
  if (!isRecord(value)) return value
  const entries = Object.entries(value as Record<string, JsonValue>).map(([key, item]) => [
    key,
    !isMap && telling.has(key)
      ? redactor.redactValue(item)
      : clean(item, redactor, !isMap && maps.has(key)),
  ])
  return Object.fromEntries(entries) as JsonValue
}
