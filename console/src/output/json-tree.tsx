import type { JsonValue } from '../api/json.ts'
import { Code } from '../ui/code.tsx'

/** Any JSON, to open and close. */
export function JsonTree({ value, label }: { value: JsonValue; label: string }) {
  return <Code text={JSON.stringify(value, null, 2)} label={label} />
}
