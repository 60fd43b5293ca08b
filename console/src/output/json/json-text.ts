import type { JsonValue } from '../../api/json.ts'

/** JSON text of any value, also of one nested deeper than the browser's own function goes. */
export function toJsonText(value: JsonValue, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return toFlatText(value)
  }
}

type Step = { text: string } | { value: JsonValue }

/** Without indentation, and without one call inside the other. */
function toFlatText(root: JsonValue): string {
  const parts: string[] = []
  const left: Step[] = [{ value: root }]
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    if ('text' in step) parts.push(step.text)
    else if (typeof step.value === 'object' && step.value !== null) {
      for (const next of open(step.value)) left.push(next)
    } else parts.push(JSON.stringify(step.value))
  }
  return parts.join('')
}

/** The next item is at the end. */
function open(value: JsonValue[] | { [key: string]: JsonValue }): Step[] {
  const isList = Array.isArray(value)
  const steps: Step[] = [{ text: isList ? '[' : '{' }]
  for (const [index, [key, item]] of Object.entries(value).entries()) {
    const comma = index === 0 ? '' : ','
    steps.push({ text: isList ? comma : `${comma}${JSON.stringify(key)}:` }, { value: item })
  }
  steps.push({ text: isList ? ']' : '}' })
  return steps.toReversed()
}
