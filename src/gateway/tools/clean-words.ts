import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { Redactor } from '../../core/secrets/redact.ts'

/**
 * Fields that only inform. All others are used to call the tool or to validate its input and stay
 * as they are.
 */
const telling = new Set(['title', 'description', '$comment', 'default', 'examples'])
/** Objects whose keys are names chosen by the server, so that one may be called `title`. */
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
